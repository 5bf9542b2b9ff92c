import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { KIND_ROWS, KINDS, type Kind, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import { quoted, visible } from '../domain/visible.ts';
import { didYouMean } from '../workspace/suggest.ts';

/** One live object, as a person types it: by its id, or by its address. */
export type TypedObject =
  { readonly by: 'id'; readonly id: string } | { readonly by: 'name'; readonly name: string };

/** A typed object, and the account to look on. Undefined leaves the account to the workspace. */
export interface TypedTarget {
  readonly object: TypedObject;
  readonly account: string | undefined;
}

/** Reads `77` or `alice/campaign/Welcome`. `command` is that of the user: `campaigns pause`. */
export function typedTarget(
  kind: Kind,
  typed: string,
  account: string | undefined,
  command: string,
): TypedTarget {
  if (/^\d{1,19}$/.test(typed)) return { object: { by: 'id', id: typed }, account };
  const [, owner = '', word = '', name = ''] = /^([^/]+)\/([^/]+)\/(.+)$/su.exec(typed) ?? [];
  const other = KINDS.find((one) => one === word);
  if (other === kind)
    return { object: { by: 'name', name: name.normalize('NFC') }, account: checkOwner(owner, account) };
  if (other !== undefined)
    throw new HeraldError(
      'bad-id',
      `${visible(typed)} is a ${other}, and ${formatCommand(...command.split(' '))} takes a ${kind}. Nothing was sent.`,
    );
  throw new HeraldError(
    'bad-id',
    `${quoted(typed)} is not the id or the address of a ${kind}. Nothing was sent.`,
    `Use an id of up to 19 digits, or an address such as alice/${kind}/Welcome. To see them: ${formatCommand(KIND_ROWS[kind].plural, 'list')}`,
  );
}

/** Reads `101001` or `alice/fan/101001`: the id, and the account that it belongs to. */
export function typedOwned(
  typed: string,
  word: 'fan' | 'chat' | 'folder',
  account: string | undefined,
): { readonly id: string; readonly account: string | undefined } {
  const [owner = '', kind, id = '', ...rest] = typed.split('/');
  const isAddress = kind === word && owner !== '' && id !== '' && rest.length === 0;
  return isAddress ? { id, account: checkOwner(owner, account) } : { id: typed, account };
}

function checkOwner(owner: string, account: string | undefined): string {
  if (account === undefined || account === owner) return owner;
  throw new HeraldError(
    'bad-flag',
    `The address is on ${visible(owner)}, and --account is ${visible(account)}. Nothing was sent.`,
    'Remove --account, or correct one of them.',
  );
}

/** The error for a list in which a name cannot be looked up. */
export function noList(
  { message }: Error,
  { alias }: ResolvedAccount,
  command: string,
  isPartly = false,
): HeraldError {
  const sent = isPartly ? 'Only what is on record was stopped' : 'Nothing was sent';
  return new HeraldError(
    'incomplete-list',
    `The name cannot be looked up: ${message}. ${sent}.`,
    `Use the id, which needs no list: ${formatCommand(...command.split(' '), 'ID', '--account', alias)}`,
  );
}

/** The error for an address that no object has, with the name that is near it. */
export function noMatch(address: string, all: readonly Observed[], name: string, kind: Kind): HeraldError {
  const names = all.map(({ live }) => live.name ?? '');
  return new HeraldError(
    'no-match',
    `${address} does not exist. Nothing was sent.${didYouMean(name, names)}`,
    `To see what there is: ${formatCommand(KIND_ROWS[kind].plural, 'list')}`,
  );
}
