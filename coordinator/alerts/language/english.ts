import type { AlertTexts } from "./alert-texts.ts";

export const english: AlertTexts = {
  kinds: {
    job_failed: { one: "{name} failed", many: "{count} jobs failed", over: "", allOver: "" },
    job_late: { one: "{name} is late", many: "{count} jobs are late", over: "", allOver: "" },
    node_lost: {
      ...{ one: "{name} is lost", many: "{count} nodes are lost" },
      ...{ over: "{name} is back", allOver: "{count} nodes are back" },
    },
    disk_low: {
      ...{ one: "{name} has an almost full disk", many: "{count} machines have almost full disks" },
      ...{ over: "{name} has room on its disk again", allOver: "{count} machines have room on their disks again" },
    },
    stands_still: {
      ...{ one: "{name} has work that waits, and nothing moves", many: "{count} queues stand still" },
      ...{ over: "{name} works again", allOver: "{name} works again" },
    },
    store_fails: {
      ...{ one: "{name} has a database that fails", many: "{count} databases fail" },
      ...{ over: "{name} has a database that works again", allOver: "{name} has a database that works again" },
    },
    backup_failed: {
      ...{ one: "{name} has no backup", many: "{count} backups failed" },
      ...{ over: "{name} has a backup again", allOver: "{name} has a backup again" },
    },
    webhook_off: {
      one: "{name} was switched off, since its receiver takes nothing",
      ...{ many: "{count} webhooks were switched off" },
      ...{ over: "{name} is on again", allOver: "{count} webhooks are on again" },
    },
    certificate_ends: {
      ...{ one: "{name} has a certificate that ends soon", many: "{count} certificates end soon" },
      ...{ over: "{name} has a new certificate", allOver: "{name} has a new certificate" },
    },
  },
  reasons: {
    sent: "sent on {at}, {percent} % done",
    last_heard: "last heard at {at}",
    disk_free: "{free} of {total} GiB are free",
    tasks_wait: "{count} tasks could run",
    newest_backup: "the newest is of {at}",
    receiver_gone: "{origin} says that it is gone",
    receiver_silent: "{origin} took nothing for days",
    ends: "it ends at {at}",
  },
  farm: "The farm",
  coordinator: "The coordinator",
  webhook: 'The webhook "{name}"',
  more: "… and {count} more.",
  test: "A test of this channel",
  testOf: "A test of this channel of the farm at {address}",
  works: "It works: alerts of the farm arrive here.",
};
