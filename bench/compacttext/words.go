//go:build bench

package compacttext

// vocabulary is what one language's rows are made of.
type vocabulary struct {
	people, mails, companies, places, rooms                []string
	todos, categories, lists, items, meetings, subjects    []string
	sentences, notes, tags, entityTypes, summaries, events []string
	relations                                              []relation
}

// relation is a kind of fact: its name, and a sentence with places for both ends.
type relation struct{ name, before, between, after string }

var english = vocabulary{
	people: []string{"Dana Levi", "Omer Cohen", "Ruth Adler", "Sam Porter", "Maya Stern", "Tom Baker", "Noa Friedman",
		"Eli Katz"},
	mails: []string{"dana.levi@example.org", "omer@example.com", "ruth.adler@example.net", "sam@porter.example",
		"maya.stern@example.org", "tom@example.com", "noa@example.org", "eli.katz@example.net"},
	companies: []string{"Acme Instruments", "Northwind Clinic", "Hadar School", "Blue Harbor Bank", "Orchard Press",
		"City Library"},
	places: []string{"Haifa", "12 Herzl Street, Tel Aviv", "Jerusalem", "London", "Community Center, Building B"},
	rooms: []string{"Room 5", "Meeting room Galil", "https://meet.example.org/abc-defg-hij",
		"Café Nordau, 22 Ben Yehuda Street", "Clinic, 3rd floor"},
	todos: []string{
		"Call the dentist to move the appointment", "Pay the electricity bill before the reminder comes",
		"Buy a birthday present for Maya", "Send the signed contract back to Acme Instruments", "Renew the passport",
		"Water the plants on the balcony", "Prepare slides for the quarterly review and ask Omer for the figures",
		"Book train tickets to Haifa", "Take the car to the yearly inspection", "Read the draft of the second chapter",
		"Pick up the package from the post office, code 4481", "Write to the landlord about the leaking tap",
		"Plan the menu for Friday dinner with eight guests", "Back up the photos",
	},
	categories: []string{"home", "work", "health", "family", "errands"},
	lists: []string{"Groceries", "Packing for London", "Books to read", "Gift ideas", "House repairs", "Films",
		"Questions for the doctor"},
	items: []string{
		"milk", "whole wheat bread", "eggs, free range", "olive oil", "passport", "charger and adapter", "raincoat",
		"The Left Hand of Darkness", "a puzzle for the children", "tighten the kitchen door", "blood test results",
		"tomatoes", "coffee beans", "toothpaste",
	},
	meetings: []string{
		"Weekly planning", "Dentist", "Parent-teacher meeting", "Quarterly review with Acme Instruments", "Lunch with Ruth",
		"Yoga", "Interview: backend engineer", "Flight LY315 to London", "Omer's birthday dinner",
		"Design review of the new onboarding", "Team retrospective",
	},
	subjects: []string{
		"Re: Plans for Friday", "Your invoice for November is ready", "Draft of chapter two, comments welcome",
		"Minutes of yesterday's meeting", "Change of your appointment on Tuesday", "Tickets for the concert",
		"Question about the contract", "Fwd: Photos from the trip",
	},
	sentences: []string{
		"Hi, thanks for the quick answer.",
		"Could we move our meeting to Thursday at four, since the room is taken until then?",
		"The invoice is attached; please pay within thirty days.",
		"I have read the draft and like the second part very much.",
		"Please bring the signed form and an identity card with you.",
		"The train leaves at 9:14 from platform 3, so let us meet at nine.",
		"We are sorry for the delay and will refund the shipping.", "Let me know what you think before the weekend.",
		"The children loved the museum, especially the dinosaurs.",
		"As agreed I will send the figures of the third quarter on Monday morning.",
	},
	notes: []string{
		"Dana is allergic to peanuts and prefers vegetarian restaurants",
		"The code of the building's gate is 4711, and the bell of the neighbours is broken",
		"Omer's daughter starts school in September at Hadar School",
		"Prefers meetings in the morning, never on Wednesday afternoons",
		"The car was serviced in March at 48,200 km; the next service is due at 63,000 km",
		"Ruth recommended the book on Hebrew morphology and can lend it", "Shoe size 43, shirt size L",
		"The insurance number is 338-221-904; claims go to claims@example.org",
		"The plumber who came last time was good: Yossi, 054-1112233",
	},
	tags:        []string{"family", "health", "home", "work", "preferences", "car", "books", "finance"},
	entityTypes: []string{"Person", "Organization", "Location", "Document", "Event", "Preference"},
	summaries: []string{
		"Leads the research group for language technology and has known the user since university; lives with her family " +
			"close to the sea.",
		"Makes measuring instruments for laboratories; the contract with them runs until the end of next year.",
		"The place where the yearly meeting of the team takes place.",
		"Teaches mathematics, and organizes the school's exchange with a school in London.",
		"A private clinic with an emergency room that is open on weekends.",
	},
	events: []string{
		"User: I moved my dentist's appointment to Thursday at four. Assistant: I have changed the event and told the " +
			"clinic, and will remind you an hour before.",
		"Dana wrote that she has started to work at Acme Instruments as head of research in October, and is looking for a " +
			"flat in Haifa.",
		"The bank confirms that the standing order to the landlord was raised to 5,400 from December on.",
		"Meeting notes: Omer presents the figures; Ruth asks for a second supplier; the decision is postponed until the " +
			"end of the month.",
	},
	relations: []relation{
		{"WORKS_AT", "", " works at ", " as head of the research department"}, {"LIVES_IN", "", " has lived in ",
			" since the spring, close to the station"}, {"KNOWS", "", " knows ", " from university"},
		{"PREFERS", "", " prefers ", " to every other supplier because of its service"},
		{"MEMBER_OF", "", " is a member of the board of ", ""},
	},
}

var hebrew = vocabulary{
	people:    []string{"דנה לוי", "עומר כהן", "רות אדלר", "סם פורטר", "מאיה שטרן", "תום בייקר", "נועה פרידמן", "אלי כץ"},
	mails:     english.mails,
	companies: []string{"אקמי מכשירים", "מרפאת צפון", "בית ספר הדר", "בנק הנמל", "הוצאת הפרדס", "הספרייה העירונית"},
	places:    []string{"חיפה", "הרצל 12, תל אביב", "ירושלים", "לונדון", "המרכז הקהילתי, בניין ב"},
	rooms: []string{"חדר 5", "חדר ישיבות גליל", "https://meet.example.org/abc-defg-hij", "קפה נורדאו, בן יהודה 22",
		"המרפאה, קומה 3"},
	todos: []string{
		"להתקשר לרופא השיניים ולהזיז את התור", "לשלם את חשבון החשמל לפני התזכורת", "לקנות מתנת יום הולדת למאיה",
		"לשלוח את החוזה החתום בחזרה לאקמי מכשירים", "לחדש את הדרכון", "להשקות את העציצים במרפסת",
		"להכין מצגת לסקירה הרבעונית ולבקש מעומר את המספרים", "להזמין כרטיסי רכבת לחיפה", "לקחת את הרכב לטסט השנתי",
		"לקרוא את טיוטת הפרק השני", "לאסוף את החבילה מהדואר, קוד 4481", "לכתוב לבעל הבית על הברז הדולף",
		"לתכנן תפריט לארוחת שישי לשמונה אורחים", "לגבות את התמונות",
	},
	categories: []string{"בית", "עבודה", "בריאות", "משפחה", "סידורים"},
	lists: []string{"קניות", "אריזה ללונדון", "ספרים לקריאה", "רעיונות למתנות", "תיקונים בבית", "סרטים",
		"שאלות לרופא"},
	items: []string{
		"חלב", "לחם מחיטה מלאה", "ביצי חופש", "שמן זית", "דרכון", "מטען ומתאם", "מעיל גשם", "צד שמאל של החושך", "פאזל לילדים",
		"לחזק את דלת המטבח", "תוצאות בדיקת הדם", "עגבניות", "פולי קפה", "משחת שיניים",
	},
	meetings: []string{
		"תכנון שבועי", "רופא שיניים", "אסיפת הורים", "סקירה רבעונית עם אקמי מכשירים", "צהריים עם רות", "יוגה",
		"ריאיון: מפתח צד שרת", "טיסה LY315 ללונדון", "ארוחת יום ההולדת של עומר", "סקירת עיצוב של תהליך ההצטרפות",
		"ישיבת הפקת לקחים",
	},
	subjects: []string{
		"תשובה: תוכניות ליום שישי", "החשבונית לנובמבר מוכנה", "טיוטת פרק שני, אשמח להערות", "סיכום הישיבה מאתמול",
		"שינוי התור שלך ביום שלישי", "כרטיסים לקונצרט", "שאלה על החוזה", "תמונות מהטיול",
	},
	sentences: []string{
		"היי, תודה על התשובה המהירה.", "נוכל להזיז את הפגישה ליום חמישי בארבע, כי החדר תפוס עד אז?",
		"החשבונית מצורפת; נא לשלם בתוך שלושים יום.", "קראתי את הטיוטה והחלק השני מצא חן בעיניי מאוד.",
		"נא להביא את הטופס החתום ותעודת זהות.",
		"הרכבת יוצאת ב-9:14 מרציף 3, אז ניפגש בתשע.", "אנו מצטערים על העיכוב ונחזיר את דמי המשלוח.",
		"אשמח לשמוע מה דעתך לפני סוף השבוע.", "הילדים נהנו מאוד במוזיאון, במיוחד מהדינוזאורים.",
		"כמוסכם אשלח את נתוני הרבעון השלישי ביום שני בבוקר.",
	},
	notes: []string{
		"דנה אלרגית לבוטנים ומעדיפה מסעדות צמחוניות", "הקוד של שער הבניין הוא 4711, והפעמון של השכנים מקולקל",
		"הבת של עומר מתחילה ללמוד בספטמבר בבית ספר הדר", "מעדיף פגישות בבוקר, אף פעם לא ביום רביעי אחר הצהריים",
		"הרכב היה בטיפול במרץ ב-48,200 ק״מ; הטיפול הבא ב-63,000 ק״מ",
		"רות המליצה על הספר על מורפולוגיה עברית ויכולה להשאיל אותו", "מידת נעליים 43, מידת חולצה L",
		"מספר הביטוח 338-221-904; תביעות לכתובת claims@example.org", "השרברב מהפעם הקודמת היה טוב: יוסי, 054-1112233",
	},
	tags:        []string{"משפחה", "בריאות", "בית", "עבודה", "העדפות", "רכב", "ספרים", "כספים"},
	entityTypes: []string{"אדם", "ארגון", "מקום", "מסמך", "אירוע", "העדפה"},
	summaries: []string{
		"מנהלת את קבוצת המחקר לטכנולוגיות שפה ומכירה את המשתמש מהאוניברסיטה; גרה עם משפחתה קרוב לים.",
		"מייצרת מכשירי מדידה למעבדות; החוזה איתה בתוקף עד סוף השנה הבאה.", "המקום שבו מתקיים הכנס השנתי של הצוות.",
		"מלמדת מתמטיקה, ומארגנת את חילופי התלמידים עם בית ספר בלונדון.", "מרפאה פרטית עם חדר מיון שפתוח בסופי שבוע.",
	},
	events: []string{
		"משתמש: הזזתי את התור לרופא השיניים ליום חמישי בארבע. עוזר: עדכנתי את האירוע והודעתי למרפאה, ואזכיר לך שעה לפני.",
		"דנה כתבה שהתחילה לעבוד באקמי מכשירים כראש מחלקת המחקר באוקטובר, ומחפשת דירה בחיפה.",
		"הבנק מאשר שהוראת הקבע לבעל הבית הועלתה ל-5,400 החל מדצמבר.",
		"סיכום ישיבה: עומר מציג את המספרים; רות מבקשת ספק שני; ההחלטה נדחית לסוף החודש.",
	},
	relations: []relation{
		{"עובדת_ב", "", " עובדת אצל ", " כראש מחלקת המחקר"}, {"LIVES_IN", "", " גרה ליד ", " מאז האביב, קרוב לתחנה"},
		{"KNOWS", "", " מכירה את ", " מהאוניברסיטה"},
		{"PREFERS", "", " מעדיפה את ", " על פני כל ספק אחר בגלל השירות"}, {"MEMBER_OF", "", " חברת הנהלה של ", ""},
	},
}
