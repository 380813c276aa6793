import { addressOf, placeOf } from "./address.ts";
import type { CnpsNode } from "./node.ts";

type ElementJson = { readonly uid: string; readonly kind: string; readonly payload: Record<string, unknown> };

/** The tasks after a destination: copies, uploads, and deletions. */
export const tasksAfter = (module: CnpsNode, uid: string): ElementJson[] => {
  const tasks = module.one("PostconversionTasks");
  if (!tasks) return [];
  return [
    ...tasks.all("FileCopy").map((task, index) => copyOf(task, `${uid}_copy_${index}`)),
    ...tasks.all("FTPUpload").map((task, index) => uploadOf(task, `${uid}_upload_${index}`)),
    ...tasks.all("FileDelete").map((task, index) => deleteOf(task, `${uid}_delete_${index}`)),
  ];
};

const copyOf = (task: CnpsNode, uid: string): ElementJson => {
  const path = placeOf(task.text("FullUNCTargetFolder"), task.text("TargetFolder"));
  if (path === undefined) return task.fail(`<${task.name}> has no TargetFolder`);
  const file_pattern = task.text("TargetFile")?.replaceAll("%s", "{source_basename}") ?? "{source_name}";
  return { uid, kind: "copy", payload: { target: { location: { path }, file_pattern } } };
};

const uploadOf = (task: CnpsNode, uid: string): ElementJson => {
  const host = task.text("Host") ?? task.text("Server") ?? task.text("HostName");
  if (host === undefined) return task.fail(`<${task.name}> has no Host`);
  const folder = task.text("TargetFolder") ?? task.text("Folder") ?? task.text("Path") ?? "";
  const port = task.integer("Port");
  const username = task.text("UserName") ?? task.text("User");
  const password = task.text("Password");
  const file_pattern = task.text("TargetFile")?.replaceAll("%s", "{source_basename}") ?? "{source_name}";
  const location = {
    ...{ storage_provider: "ftp", path: `ftp://${host}${port ? `:${port}` : ""}/${folder.replace(/^[\\/]+/, "")}` },
    ...(username !== undefined && { access: { username, ...(password !== undefined && { password }) } }),
  };
  return { uid, kind: "copy", payload: { target: { location, file_pattern } } };
};

const deleteOf = (task: CnpsNode, uid: string): ElementJson => {
  const file = task.text("FullUNCFilename") ?? task.text("Filename") ?? task.text("TargetFile");
  if (file === undefined) return task.fail(`<${task.name}> has no Filename`);
  const asset = { kind: "asset_url", payload: { url: addressOf(file) } };
  return { uid, kind: "delete_asset", payload: { asset_selector: "config", asset } };
};

/** Mails for one kind of event. */
export const mailsOf = (event: CnpsNode | undefined, uid: string): ElementJson[] =>
  (event?.all("EmailNotify") ?? []).map((mail, index) => {
    const recipients = mail.text("Recipient") ?? mail.text("Recipients");
    if (recipients === undefined) return mail.fail(`<${mail.name}> has no Recipient`);
    const [subject, body] = [mail.text("Subject"), mail.text("Body")];
    const email = { recipients, ...(subject !== undefined && { subject }), ...(body !== undefined && { body }) };
    return { uid: `${uid}_${index}`, kind: "notify", payload: { notify_method: "email", email } };
  });
