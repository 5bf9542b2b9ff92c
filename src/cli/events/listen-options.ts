import { BlockList, isIP } from 'node:net';
import { POINTED, type Pointers } from '../../events/facts.ts';
import { SIGNATURE_ALGORITHMS, SIGNATURE_FORMATS, type SignatureCheck } from '../../events/signature.ts';
import type { Context } from '../context.ts';
import { readSecret } from '../../domain/secret.ts';
import { readSecretFile } from '../read-secret-file.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** The flags of `herald events listen`, as they were typed. */
export interface ListenFlags {
  readonly host: string;
  readonly port: number;
  readonly healthPort: number;
  readonly pathSecretFile?: string;
  readonly signatureHeader?: string;
  readonly signatureFormat: string;
  readonly signatureAlgorithm: string;
  readonly source: readonly string[];
  readonly behindProxy?: boolean;
  /** In minutes. */
  readonly reconcileEvery: number;
  readonly pointer: readonly string[];
  readonly workspace: readonly string[];
}

const SECRET = /^[\w-]{16,128}$/;

const MAKE_ONE =
  'Make one with: openssl rand -hex 24. Then set HERALD_EVENTS_PATH_SECRET to it, or use --path-secret-file FILE.';

/** The secret in the path, from a file or the environment. An option with the secret would be in the list of processes. */
export async function pathSecretOf(
  context: Context,
  { pathSecretFile }: Pick<ListenFlags, 'pathSecretFile'>,
): Promise<string> {
  const secret =
    pathSecretFile === undefined
      ? readSecret(context.env, 'HERALD_EVENTS_PATH_SECRET')
      : await readSecretFile(
          context,
          pathSecretFile,
          (why) => new HeraldError('bad-flag', `Cannot read the path secret file ${pathSecretFile}: ${why}.`),
        );
  if (secret === null) throw new HeraldError('bad-flag', 'No path secret.', MAKE_ONE);
  const text = secret.trim();
  if (SECRET.test(text)) return text;
  throw new HeraldError(
    'bad-flag',
    'The path secret must have 16 to 128 letters, digits, "_" or "-".',
    MAKE_ONE,
  );
}

/** The check of signatures, if a header was named. The secret comes from the environment only. */
export function signatureOf({ env }: Context, flags: ListenFlags): SignatureCheck | null {
  const { signatureHeader: header } = flags;
  if (header === undefined) return null;
  const secret = readSecret(env, 'HERALD_EVENTS_SECRET');
  if (secret === null)
    throw new HeraldError(
      'bad-flag',
      '--signature-header needs a secret.',
      'Set HERALD_EVENTS_SECRET to the secret of the entry.',
    );
  return {
    header: header.toLowerCase(),
    format: oneOf(SIGNATURE_FORMATS, flags.signatureFormat, '--signature-format'),
    algorithm: oneOf(SIGNATURE_ALGORITHMS, flags.signatureAlgorithm, '--signature-algorithm'),
    secret,
  };
}

function oneOf<Word extends string>(words: readonly Word[], given: string, flag: string): Word {
  const found = words.find((word) => word === given);
  if (found === undefined)
    throw new HeraldError('bad-flag', `${flag} ${given} is not known. Use one of: ${words.join(', ')}.`);
  return found;
}

/** Addresses and ranges that may send; null for all. */
export function sourcesOf({ source }: ListenFlags): BlockList | null {
  if (source.length === 0) return null;
  const list = new BlockList();
  for (const range of source) {
    const [address = '', bits] = range.split('/');
    const version = isIP(address);
    const most = version === 6 ? 128 : 32;
    const length = bits === undefined ? most : Number(bits);
    if (version === 0 || bits === '' || !Number.isInteger(length) || length < 0 || length > most)
      throw new HeraldError(
        'bad-flag',
        `--source ${range} is not an address or a range.`,
        'Write it as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.',
      );
    list.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Where facts are in the bodies, as `account_id=/data/account/id`. */
export function pointersOf({ pointer }: ListenFlags): Pointers {
  const pointers: Record<string, string> = {};
  for (const text of pointer) {
    const at = text.indexOf('=');
    const [name, path] = [text.slice(0, at), text.slice(at + 1)] as const;
    if (!POINTED.some((known) => known === name) || !path.startsWith('/'))
      throw new HeraldError(
        'bad-flag',
        `--pointer ${text} is not known.`,
        `Write it as account_id=/data/account/id. Names: ${POINTED.join(', ')}.`,
      );
    if (name in pointers)
      throw new HeraldError(
        'bad-flag',
        `--pointer ${name} was given twice: ${pointers[name]} and ${path}.`,
        'Give each name once.',
      );
    pointers[name] = path;
  }
  return pointers;
}
