import { digest } from './digest.ts';

/** What a file says about its media in the vault. The keys are the service's own, except for `fan`. */
export interface MediaWishes {
  readonly name?: string | undefined;
  readonly content_type?: string | undefined;
  /** In seconds. */
  readonly duration?: number | undefined;
  /** Link of the fan that the media is for. An apply asks the service for the id. */
  readonly fan?: string | undefined;
  readonly export_fan_id?: string | undefined;
  readonly rf_guest?: readonly string[] | undefined;
  readonly rf_partner?: readonly string[] | undefined;
  readonly rf_tag?: readonly string[] | undefined;
}

/** All keys, in the order in which they are shown. */
const WISH_KEYS = [
  'name',
  'content_type',
  'duration',
  'fan',
  'export_fan_id',
  'rf_guest',
  'rf_partner',
  'rf_tag',
] as const satisfies readonly (keyof MediaWishes)[];

const SEPARATOR = '+';

/** The fingerprint of a file's bytes together with its wishes: other wishes are another media. */
export function mediaPrint(bytesPrint: string, wishes: string | undefined): string {
  return wishes === undefined || bytesPrint === '' ? bytesPrint : `${bytesPrint}${SEPARATOR}${wishes}`;
}

/** The fingerprint of the bytes alone. */
export function digestBytes(print: string): string {
  const end = print.indexOf(SEPARATOR);
  return end === -1 ? print : print.slice(0, end);
}

/** In words for a plan: `name hello.jpg, rf_tag 5 6`. Empty if there are none. */
export function wishesWords(wishes: MediaWishes | undefined): string {
  return WISH_KEYS.flatMap((key) => {
    const value = wishes?.[key];
    if (value === undefined) return [];
    return `${key} ${typeof value === 'object' ? value.join(' ') : String(value)}`;
  }).join(', ');
}

/** Lists in which the order does not matter. */
const LISTS = ['rf_guest', 'rf_partner', 'rf_tag'] as const;

const WISHES_LENGTH = 16;

/** Tells whether two uploads want the same file for the same use. Undefined without wishes. */
export function wishesDigest(wishes: MediaWishes | undefined): string | undefined {
  if (wishes === undefined || Object.keys(wishes).length === 0) return undefined;
  const sorted = Object.fromEntries(
    LISTS.flatMap((key) => (wishes[key] === undefined ? [] : [[key, wishes[key].toSorted()]])),
  );
  return digest({ ...wishes, ...sorted }).slice(0, WISHES_LENGTH);
}
