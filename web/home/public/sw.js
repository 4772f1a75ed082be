// The service worker shows what the server sends by Web Push, and keeps nothing: the page works without it.
//
// A message is { tag, title, at, test }. The tag is the message's, so one that is sent again replaces what is shown of it.
const WORDS = {
  en: { reminder: "Reminder", test: "Notifications work." },
  he: { reminder: "תזכורת", test: "ההתראות פועלות." },
};

const said = () => (self.navigator.language.startsWith("he") ? WORDS.he : WORDS.en);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data.json();
  } catch {
    // Nothing can be read of it; browsers still want a notification for each message.
  }
  const words = said();
  event.waitUntil(
    self.registration.showNotification(message.test ? words.test : message.title || words.reminder, {
      body: message.test ? "" : words.reminder,
      tag: message.tag,
      timestamp: Date.parse(message.at) || Date.now(),
      icon: "favicon.svg",
      dir: "auto",
      renotify: false,
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((windows) => {
      const open = windows.find((one) => one.url.startsWith(self.registration.scope));
      return open ? open.focus() : self.clients.openWindow(self.registration.scope);
    }),
  );
});
