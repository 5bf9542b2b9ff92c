import type { Client } from '../../api/client.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { LiveId } from '../../domain/ids.ts';
import { formatAddress, type Kind, type ResolvedAccount } from '../../domain/resource.ts';
import { visible } from '../../domain/visible.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import { LocalMedia } from '../../operations/upload/local-media.ts';
import { versionsOf, type InFiles } from '../../plan/by-hand/versions.ts';
import { loadDeclared } from '../../workspace/load.ts';
import { listOf, noMatch } from '../addresses.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../failure.ts';

/** What a start is compared with. */
export async function readFiles({ files, env, bytes, interrupted }: Context): Promise<InFiles> {
  const { examine } = new LocalMedia(bytes, interrupted, 'read');
  const loaded = await loadDeclared(files, { env, media: examine });
  return loaded.kind === 'loaded' ? loaded.declared : null;
}

interface Place {
  readonly client: Client;
  readonly account: ResolvedAccount;
  readonly kind: Kind;
  readonly inFiles: InFiles;
}

/** For a start, an address means the version that equals its file. Without one, only an id names what fans get. */
export async function idToStart(
  { state }: Context,
  { client, account, kind, inFiles }: Place,
  name: string,
  command: string,
): Promise<LiveId> {
  const observed = await listOf(client, account, kind, command);
  const { knowledge } = await new LedgerReader(state.ledger, client.address).read();
  const input = { account: account.alias, kind, observed, knowledge, inFiles };
  const { all, members, current, why, words } = versionsOf(name, input);
  if (current !== null) return current.live.id;
  const address = visible(formatAddress({ account: account.alias, kind, name }));
  if (all.length === 0) throw noMatch(address, observed, name, kind);
  const first = [
    ...(members.length > 0 ? [`To put the text of the file live: ${formatCommand('apply')}.`] : []),
    ...(inFiles === null ? [`To see the errors: ${formatCommand('validate')}.`] : []),
  ];
  const start = formatCommand(...command.split(' '), 'ID', '--account', account.alias);
  throw new CommandError(
    'ambiguous-name',
    `Which version of ${address} is meant? ${why} There: ${words}. Nothing was sent.`,
    [...first, `To start one of them: ${start}`].join(' '),
  );
}
