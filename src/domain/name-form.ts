/**
 * The form in which Herald compares a name (CONTENT-2). Unicode has two forms for many letters, which look the same: files,
 * live objects and the state may differ in them.
 */
export function nameForm(name: string): string {
  return MAY_HAVE_PARTS.test(name) ? name.normalize('NFC') : name;
}

/** No character before it joins another one, so most names need no more than this test. */
const MAY_HAVE_PARTS = /[\u0300-\uffff]/;

/** Whether two names that may be missing are one for Herald. */
export function isSameName(left: string | null | undefined, right: string | null | undefined): boolean {
  return left === right || (left != null && right != null && nameForm(left) === nameForm(right));
}
