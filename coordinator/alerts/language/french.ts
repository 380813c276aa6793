import type { AlertTexts } from "./alert-texts.ts";

export const french: AlertTexts = {
  kinds: {
    job_failed: { one: "{name} a échoué", many: "{count} jobs ont échoué", over: "", allOver: "" },
    job_late: { one: "{name} est en retard", many: "{count} jobs sont en retard", over: "", allOver: "" },
    node_lost: {
      ...{ one: "{name} est perdu", many: "{count} nœuds sont perdus" },
      ...{ over: "{name} est de retour", allOver: "{count} nœuds sont de retour" },
    },
    disk_low: {
      ...{ one: "{name} : le disque est presque plein", many: "{count} machines ont un disque presque plein" },
      over: "{name} : il y a de nouveau de la place sur le disque",
      allOver: "{count} machines ont de nouveau de la place",
    },
    stands_still: {
      ...{ one: "{name} : du travail attend et rien n’avance", many: "{count} files d’attente n’avancent plus" },
      ...{ over: "{name} : le travail avance de nouveau", allOver: "{name} : le travail avance de nouveau" },
    },
    store_fails: {
      ...{ one: "{name} : la base de données est en défaut", many: "{count} bases de données sont en défaut" },
      over: "{name} : la base de données fonctionne de nouveau",
      allOver: "{name} : la base de données fonctionne de nouveau",
    },
    backup_failed: {
      ...{ one: "{name} n’a pas de sauvegarde", many: "{count} sauvegardes ont échoué" },
      ...{ over: "{name} a de nouveau une sauvegarde", allOver: "{name} a de nouveau une sauvegarde" },
    },
    webhook_off: {
      one: "{name} a été désactivé : son destinataire n’accepte rien",
      ...{ many: "{count} webhooks ont été désactivés" },
      ...{ over: "{name} est de nouveau actif", allOver: "{count} webhooks sont de nouveau actifs" },
    },
    certificate_ends: {
      ...{ one: "{name} : le certificat expire bientôt", many: "{count} certificats expirent bientôt" },
      ...{ over: "{name} a un nouveau certificat", allOver: "{name} a un nouveau certificat" },
    },
  },
  reasons: {
    sent: "envoyé le {at}, {percent} % faits",
    last_heard: "dernier signe de vie à {at}",
    disk_free: "{free} Gio libres sur {total}",
    tasks_wait: "{count} tâches pourraient tourner",
    newest_backup: "la plus récente date du {at}",
    receiver_gone: "{origin} dit qu’il n’existe plus",
    receiver_silent: "{origin} n’a rien accepté depuis des jours",
    ends: "il expire le {at}",
  },
  farm: "La ferme",
  coordinator: "Le coordinateur",
  webhook: "Le webhook « {name} »",
  more: "… et {count} de plus.",
  test: "Un test de ce canal",
  testOf: "Un test de ce canal de la ferme à l’adresse {address}",
  works: "Ça marche : les alertes de la ferme arrivent ici.",
};
