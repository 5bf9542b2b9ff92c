import type { Client } from '../../api/client.ts';
import { makeColumns } from '../../api/columns.ts';
import { LIST_COMMANDS } from '../../api/lists.ts';
import { readPages } from '../../api/pages.ts';
import { defineCommand, LIST_FORMATS } from '../../cli/define-command.ts';
import { accountsFlag, limitFlag, suggest, textFlag, word } from '../../cli/flags.ts';
import { chooseColumns, columnsFlag, streamRows } from '../../cli/print-rows.ts';
import type { ListItem } from '../../render/rows.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { openOwners, type Owner } from '../../cli/read-list.ts';

const COLUMNS = {
  who: 'account' as const,
  columns: makeColumns('media_id name type folder status created_at', { media_id: 'media' }, '-'),
  more: makeColumns('upload_id', {}, '-'),
};

/** The vault's words for the types of media. */
const TYPES = ['photo', 'video', 'gif', 'audio'];

/** By the name of the upload or of the folder: the service keeps no name of a medium itself. */
export const find = defineCommand({
  path: 'vault find',
  about: 'find media by the name of their upload or folder, or by their id',
  examples: ['herald vault find beach --account vip', 'herald vault find beach --type video --format csv'],
  formats: LIST_FORMATS,
  words: { text: word('TEXT', 'a part of the name, in any case, or an id of a medium') },
  flags: {
    accounts: accountsFlag,
    type: suggest(TYPES, textFlag('--type <type>', 'only media of this type (default: all)')),
    limit: limitFlag('stop after this many rows of each account'),
    columns: columnsFlag(COLUMNS),
  },
  needs: 'reads',
  run: async (context, given, service) => {
    const { text, accounts, type, limit } = given;
    const print = chooseColumns(COLUMNS, given);
    const wanted = fold(text.trim());
    if (wanted === '') throw new HeraldError('bad-flag', 'TEXT is empty.', 'Give a part of a name.');
    const { makeSources } = await openOwners(context, service, LIST_COMMANDS['vault uploads'], { accounts });
    const sources = makeSources((owner) => search(service.client, owner, wanted, type));
    return streamRows(context, print, { what: 'media', sources, limit });
  },
});

/** Names from different systems may have other forms of one letter. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** In the order in which JSON has them. */
const NOTHING = { name: null, type: null, folder: null, status: null, created_at: null, upload_id: null };

/** `wanted` is a part of a name, or the id of a medium. */
async function* search(
  client: Client,
  { alias: account, params: ids }: Owner,
  wanted: string,
  type: string | undefined,
): AsyncGenerator<readonly ListItem[], void> {
  const isNamed = (name: unknown) => typeof name === 'string' && fold(name).includes(wanted);
  const params = { account_id: ids['account_id'] ?? '' };
  const found = new Set<unknown>();
  const uploads = readPages(client, 'vault.uploads', { params, query: { expired: true } });
  for await (const page of uploads) {
    const rows = page
      .filter(({ metadata, media_id: id }) => isNamed(metadata?.name) || id === wanted)
      .map(({ id: upload_id, media_id = null, metadata, status = null, created_at = null }) => {
        const type = nameType(metadata?.content_type ?? '');
        const name = metadata?.name ?? null;
        return { account, media_id, ...NOTHING, name, type, status, created_at, upload_id };
      })
      .filter((row) => type === undefined || row.type === type);
    for (const { media_id: id } of rows) found.add(id);
    yield rows;
  }
  for await (const folders of readPages(client, 'vault.folders', { params }, { toShow: true }))
    for (const { id: folderId, name: folder } of folders) {
      if (!isNamed(folder)) continue;
      const query = type === undefined ? {} : { type };
      const input = { params: { ...params, folder_id: String(folderId) }, query };
      for await (const media of readPages(client, 'vault.media', input, { toShow: true }))
        yield media
          .filter(({ id }) => !found.has(String(id)))
          .map(({ id: media_id, type: own = null, created_at = null }) => {
            return { account, media_id, ...NOTHING, type: own, folder, created_at };
          });
    }
}

/** `image/jpeg` is a photo. */
function nameType(contentType: string): string | null {
  if (contentType === 'image/gif') return 'gif';
  const [kind = ''] = contentType.split('/');
  return kind === 'image' ? 'photo' : kind === '' ? null : kind;
}
