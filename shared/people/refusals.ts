/**
 * Why somebody is not let in, or may not change how they sign in. Each is a whole sentence with nothing put into it, so that
 * pages can show it in their language.
 */
export const signInRefusals = {
  wrongWords: "Name or password is wrong",
  wrongPassword: "is wrong: enter the one that you sign in with",
  wrongLink: "The link is used, too old or wrong: ask for a new one",
  wrongFirstCode: "The code is wrong: the newest link is printed where the farm was started",
  hasOwner: "This farm has an owner already: ask them to let you sign in",
  tooMany: "Too many tries at once; wait for their answers",
  needsFresh: "This needs a fresh sign-in: sign out and in again, and do it within 15 minutes",
  noSession: "You have no such session, or no longer",

  otherBrowser: "This sign-in was not begun in this browser, or another one was begun after it: sign in again",
  tookLong: "This took too long: sign in again",
  usedAlready: "This sign-in was used already: sign in again",
  manySignIn: "Too many people sign in just now; try again",
  providerFirst: "Sign in with a provider first, as an owner: that shows that it works",
  noProvider: "There is no identity provider: nobody could sign in without passwords",
  ownProvider: "You signed in with this provider yourself, and would be removed: sign in another way first",

  linkEnded: "You were signed out meanwhile: sign in, and link the account again",
  linkTaken: "This account opens this farm for somebody already: an owner removes them, or they end their link, first",
  linkHasOne: "You have an account of this provider already: end that link first",
  noLink: "There is no such link, or no longer",
  lastWay: "This is your last way in, because passwords are switched off: link another account first",
  linkOther: "This was begun in another browser, by somebody else, or before another sign-in: link the account again",
  notForSignIn: "This was begun to link an account, not to sign in: begin again",
  notForLink: "This was begun to sign in, not to link an account: begin again",

  wrongStep: "The code is wrong, or was used already",
  wrongSetUp: "The code is wrong. If it should be right, the clock of your device or of this farm is",
  manyWrongCodes: "Too many wrong codes: wait a quarter of an hour, or use a passkey or a recovery code",
  passwordAgain: "Enter name and password again, and then the code",
  noPending: "No secret waits for a code: begin anew",
  hasStep: "You have a second step already: sign in with it",
  needsStep: "This farm wants you to have a passkey or codes: add another one first",
  ownStepFirst: "Add a passkey or codes to your own account first: that shows that it works",
  recoveryFirst: "Recovery codes are for passkeys and codes: add one first",
  providerAsks: "You sign in at an identity provider, which asks for what it wants itself",

  stalePasskey: "This was asked for too long ago, in another window, or answered already: try again",
  unfitPasskey: "The passkey does not fit this farm, or was not unlocked: try again",
  unfitAnswer: "The passkey's answer does not fit this farm: try again",
  unknownPasskey: "This passkey opens nothing here, or no longer: sign in another way",
  copiedPasskey: "This passkey counts backwards, as a copy of it would: sign in another way, and remove it",
  hasPasskey: "You have this passkey already",
  noPasskey: "You have no such passkey, or no longer",
  passkeysInBrowser: "Passkeys are for browsers: open the farm's pages",
  passkeysByHttps: "Browsers have passkeys over https only: open the farm by an address that begins with https",
} as const;
