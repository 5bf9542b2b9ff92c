import { SIGNATURE_ALGORITHMS, SIGNATURE_FORMATS, type SignatureCheck } from '../../events/receiver.ts';
import type { Context } from '../context.ts';
import { readSecret } from '../../domain/secret.ts';
import { readSecretFile } from '../read-secret-file.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** The flags of `herald events listen`, as they were typed. */
export interface ListenFlags {
  readonly host: string;
  readonly port: number;
  readonly pathSecretFile?: string;
  readonly signatureHeader?: string;
  readonly signatureFormat: string;
  readonly signatureAlgorithm: string;
  /** In minutes. */
  readonly reconcileEvery: number;
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
