import type { AlertTexts } from "./alert-texts.ts";

export const german: AlertTexts = {
  kinds: {
    job_failed: {
      ...{ one: "{name} ist fehlgeschlagen", many: "{count} Jobs sind fehlgeschlagen" },
      ...{ over: "", allOver: "" },
    },
    job_late: { one: "{name} ist verspätet", many: "{count} Jobs sind verspätet", over: "", allOver: "" },
    node_lost: {
      ...{ one: "{name} ist verloren", many: "{count} Nodes sind verloren" },
      ...{ over: "{name} ist wieder da", allOver: "{count} Nodes sind wieder da" },
    },
    disk_low: {
      ...{ one: "{name}: die Platte ist fast voll", many: "{count} Rechner haben fast volle Platten" },
      ...{ over: "{name}: auf der Platte ist wieder Platz", allOver: "{count} Rechner haben wieder Platz" },
    },
    stands_still: {
      ...{ one: "{name}: Arbeit wartet, und nichts geht voran", many: "{count} Warteschlangen stehen still" },
      ...{ over: "{name}: es geht wieder voran", allOver: "{name}: es geht wieder voran" },
    },
    store_fails: {
      ...{ one: "{name}: die Datenbank macht Fehler", many: "{count} Datenbanken machen Fehler" },
      ...{ over: "{name}: die Datenbank geht wieder", allOver: "{name}: die Datenbank geht wieder" },
    },
    backup_failed: {
      ...{ one: "{name} hat keine Sicherung", many: "{count} Sicherungen sind fehlgeschlagen" },
      ...{ over: "{name} hat wieder eine Sicherung", allOver: "{name} hat wieder eine Sicherung" },
    },
    webhook_off: {
      one: "{name} wurde abgeschaltet, weil der Empfänger nichts annimmt",
      ...{ many: "{count} Webhooks wurden abgeschaltet" },
      ...{ over: "{name} ist wieder an", allOver: "{count} Webhooks sind wieder an" },
    },
    certificate_ends: {
      ...{ one: "{name}: das Zertifikat läuft bald ab", many: "{count} Zertifikate laufen bald ab" },
      ...{ over: "{name} hat ein neues Zertifikat", allOver: "{name} hat ein neues Zertifikat" },
    },
  },
  reasons: {
    sent: "abgeschickt am {at}, {percent} % fertig",
    last_heard: "zuletzt gehört um {at}",
    disk_free: "{free} von {total} GiB sind frei",
    tasks_wait: "{count} Tasks könnten laufen",
    newest_backup: "die neueste ist vom {at}",
    receiver_gone: "{origin} meldet, dass es ihn nicht mehr gibt",
    receiver_silent: "{origin} hat seit Tagen nichts angenommen",
    ends: "es läuft am {at} ab",
  },
  farm: "Die Farm",
  coordinator: "Der Koordinator",
  webhook: "Der Webhook „{name}“",
  more: "… und {count} weitere.",
  test: "Ein Test dieses Kanals",
  testOf: "Ein Test dieses Kanals der Farm unter {address}",
  works: "Es geht: Meldungen der Farm kommen hier an.",
};
