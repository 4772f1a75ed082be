package app

import (
	"fmt"

	"almanac/internal/config"
	"almanac/internal/connect"
)

// Greeting says where to look, to the person who started the server. Machines read the log instead.
func (s *Server) Greeting() string {
	address := s.base.String() + "/"
	home, explorer := address, address+"explorer/"
	if s.settings.DocumentsOnly {
		home = "off; only the documents of " + s.settings.Documents + " are served"
		explorer = "off, too"
	}
	return fmt.Sprintf(
		"\n  Almanac %s\n\n  your day  %s\n  explorer  %s\n  endpoint  %sgraphql\n  models    %smcp\n  data      %s\n  "+
			"memories  %s\n  "+
			"knowledge %s\n  episodes  %s\n  websets   %s\n%s  calendars %s\n\n",
		s.version, home, explorer, address, address, StoreName(s.settings), memoriesGreeting(s.settings),
		knowledgeGreeting(s.settings), episodesGreeting(s.settings), websetsGreeting(s.settings), s.demoGreeting(),
		s.calendarsGreeting())
}

// demoGreeting says how the sample data is reached where there is no local user.
func (s *Server) demoGreeting() string {
	switch {
	case standInUser(s.settings) != DemoSubject:
		return ""
	case s.demoToken == "":
		return "  demo      its token was printed once; almanac token create --user " + DemoSubject + " makes another\n"
	default:
		return "  demo      send this token, which is shown once, as \"Authorization: Bearer …\"\n            " +
			s.demoToken +
			"\n"
	}
}

func (s *Server) calendarsGreeting() string {
	switch {
	case s.settings.GoogleClientID != "":
		return "in the database, and Google's; register the redirect URI " + connect.RedirectURI(s.base)
	case standInUser(s.settings) != "" && s.settings.DataDir == "":
		return "in the database, and a stand-in for Google, in memory; --data-dir keeps it"
	case standInUser(s.settings) != "":
		return "in the database, and a stand-in for Google"
	default:
		return "in the database; ALMANAC_GOOGLE_CLIENT_ID and ALMANAC_GOOGLE_CLIENT_SECRET link Google's"
	}
}

// memoriesGreeting says which model finds memories, and where their texts go for that.
func memoriesGreeting(settings config.Config) string {
	if in := embeddingModel(settings); !in.Local {
		return fmt.Sprintf("found by %s at %s", in.Name, settings.OpenAIBaseURL.Host)
	}
	return "found by a built-in model; ALMANAC_EMBEDDING_MODEL chooses another"
}

// knowledgeGreeting says where the knowledge graph is kept.
func knowledgeGreeting(settings config.Config) string {
	if !hasGraphiti(settings) {
		return "in the database; ALMANAC_GRAPHITI_URL chooses a Graphiti server"
	}
	return "on the Graphiti server " + graphitiTarget(settings).Name()
}

// episodesGreeting says which model reads episodes, and where they go for that.
func episodesGreeting(settings config.Config) string {
	switch {
	case hasGraphiti(settings):
		return "read by the Graphiti server"
	case settings.ChatModel == "":
		return "kept word for word; ALMANAC_CHAT_MODEL has them read"
	default:
		return "read by " + settings.ChatModel + " at " + settings.OpenAIBaseURL.Host
	}
}

// websetsGreeting says who serves websets.
func websetsGreeting(settings config.Config) string {
	switch {
	case settings.ExaOff:
		return "off"
	case settings.ExaStandIn:
		return "a stand-in for Exa, in memory; ALMANAC_EXA_API_KEY has the real one"
	case settings.ExaAPIKey.IsSet():
		return "Exa, at " + settings.ExaURL.Host
	default:
		return "Exa, at " + settings.ExaURL.Host + ", with keys that people link"
	}
}
