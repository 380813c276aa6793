/**
 * Fields of answers, events and messages whose names sound secret, each with who gets it, or why it is none. A name stands for
 * itself and for all below it. A field without a row here cannot be added: a test walks every schema.
 */
export const toldSecrets: Readonly<Record<string, string>> = {
  "login.token": "the API user who logs in with both layers",
  "showOapiPair.oapi_key": "an owner",
  "showOapiPair.oapi_secret": "an owner who entered the password again",
  "renewOapiPair.oapi_key": "an owner",
  "renewOapiPair.oapi_secret": "the owner who made it",
  "beginCodes.secret": "the person whose codes they will be, once",
  "confirmCodes.recovery": "the person whose codes they are, once; each works once",
  "getAccount.oapi_key": "an owner; it opens nothing without its secret",
  "createApiUser.auth_key": "the owner who made the user",
  "createApiUser.auth_secret": "the owner who made the user, once",
  "listApiUsers.items.[].auth_key": "an owner; it opens nothing without its secret",
  "resetPerson.code": "the owner who asked for it, once; it works once, within an hour",
  "showJoinToken.join_token": "an owner",
  "renewJoinToken.join_token": "the owner who made it",
  "createJoinToken.join_token": "the owner who made it, once",
  "listPresets.items.[].key": "no secret: the preset's name",
  "getPreset.key": "no secret: the preset's name",
  "getResult.job.subscription_key": "whoever may read the job, and made for them: it opens the job's own events",
  "getResult.errors.[].assigned": "no secret: a time",
  "getResult.tasks.[].assigned": "no secret: a time",
  "getResult.tasks.[].documents.[].result_payload": "no secret: what sounds so are names of channels",
  "getResult.tasks.[].documents.[].result_extended_payload.logs.encode_args":
    "no secret: arguments of ffmpeg, which hold none",
  "getTaskLog.items.[].assigned": "no secret: a time",
  "to a node.assignment.work.steps": "the node that runs the task; secrets are only named there",
  "to a node.assignment.work.watch.key": "no secret: a name for a memory",
  "to a node.assignment.secretWords": "the node that runs the task, in memory alone",
  "to a node.assignment.keys": "the node that runs the task, in memory alone: those that its addresses need",
  "to a node.keys": "a node that looks at files for a task, or goes on with one: those that its addresses need",
  "to a node.request.keys": "a node that an owner has try an entry of the vault, if the entry is not bound to others",
  "to a node.nodeKey": "the node that just came in, once",
  "of a node.credentials": "the coordinator: a join token, or the node's own key",
};
