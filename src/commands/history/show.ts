import { Document, isScalar } from 'yaml';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { optionalWord, word } from '../../cli/flags.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { HistoryItem } from '../../domain/history-item.ts';
import { KIND_ROWS } from '../../domain/resource.ts';
import { isTextDigest } from '../../domain/text.ts';
import { harmless, quoted, visible } from '../../domain/visible.ts';
import { PRINTED } from '../../import/resource-file.ts';
import { matchAddress, readHistory } from '../../library/history.ts';
import { type Asked, parseAsked } from '../../plan/compare/asked.ts';
import type { State } from '../../state/state.ts';

/** Prints one declared version of a resource as YAML, to compare it with a file or to go back to it. */
export const show = defineCommand({
  path: 'history show',
  about: 'print a declared version of a resource as YAML (default: the last one)',
  examples: [
    'herald history show alice/campaign/Welcome',
    'herald history show alice/campaign/Welcome 1a2b3c4d',
  ],
  more: 'VERSION is the beginning of a digest (column version), a live id, or an entry. Texts of messages are in git, not in the state.',
  words: { address: word('ADDRESS'), version: optionalWord('VERSION') },
  needs: 'state',
  run: async (_context, { address: written, version }, state) => {
    const { item, asked } = await findVersion(state, written, version);
    const {
      entry,
      at,
      who,
      outcome,
      live_id,
      content_digest,
      address,
      account,
      kind,
      version: digest,
    } = item;
    const about = `Version ${digest ?? '-'} of ${address}, ${at} by ${who ?? 'an unknown person'}: ${outcome}`;
    return itemResult(
      {
        address,
        entry,
        at,
        who,
        outcome,
        live_id,
        content_digest,
        scheduled_at: asked.hour,
        content: asked.wanted,
      },
      harmless(drawYaml({ account, kind: kind as Asked['kind'], asked, about })),
    );
  },
});

interface Version {
  readonly item: HistoryItem;
  readonly asked: Asked;
}

/**
 * A version by an entry, a live id, or the beginning of a digest; without one, the last. Throws if the address or the version is not
 * exactly one.
 */
async function findVersion(state: State, written: string, word: string | undefined): Promise<Version> {
  const recorded = await readHistory(state, matchAddress(written));
  const addresses = [...new Set(recorded.map(({ item }) => item.address))].toSorted();
  const [address = '', ...others] = addresses;
  if (others.length > 0)
    throw new HeraldError(
      'ambiguous-name',
      `${quoted(written)} matches ${addresses.length} addresses, and show takes one.`,
      `Use one of: ${addresses.slice(0, 5).map(visible).join(', ')}.`,
      { details: { addresses } },
    );
  const versions = recorded.filter(({ item }) => item.action === 'create');
  const chosen = versions.filter(
    ({ item: { entry, live_id: id, content_digest: digest } }) =>
      word === undefined || entry === word || id === word || digest?.startsWith(word) === true,
  );
  const known = versions.map(({ item }) => visible(`${item.version ?? '-'} (${item.at})`));
  const hint =
    known.length === 0
      ? `Only versions that Herald created are recorded. To see them: ${formatCommand('history')}`
      : `Use an entry, a live id, or the beginning of a digest. Recorded: ${[...new Set(known)].join(', ')}.`;
  const what = `${word === undefined ? 'no version' : `no version ${quoted(word)}`} of ${quoted(written)}`;
  const [newest] = chosen;
  if (newest === undefined) throw new HeraldError('not-found', `The state has ${what}.`, hint);
  // Several creates of the same content count as one version.
  if (word !== undefined && new Set(chosen.map(({ item }) => item.content_digest)).size > 1)
    throw new HeraldError(
      'ambiguous-name',
      `${quoted(word)} matches several versions of ${quoted(address)}.`,
      hint,
    );
  const asked = parseAsked(newest.row.asked);
  if (asked !== null) return { item: newest.item, asked };
  throw new HeraldError(
    'not-found',
    `The content of version ${visible(newest.item.version ?? '-')} of ${quoted(address)} cannot be read.`,
    'Another version of Herald recorded it. Look at the files in git.',
  );
}

interface Drawn {
  readonly account: string;
  readonly kind: Asked['kind'];
  readonly asked: Asked;
  readonly about: string;
}

/** A file that does not exist: with an empty text, a message with media would be valid, and lose its words. */
const MISSING_TEXT = 'text-from-git.md';

/** A resource file with this content. It is not valid before a person has filled in the texts, which the state does not have. */
function drawYaml({ account, kind, asked, about }: Drawn): string {
  const { audience_filters: filters, messages, ...others } = asked.wanted;
  const resource = {
    name: asked.name,
    ...(asked.protect === true ? { protect: true } : {}),
    ...(asked.hour === null ? {} : { scheduled_at: asked.hour }),
    ...others,
    ...(filters.length === 0 ? { audience: 'everyone' } : { audience_filters: filters }),
    messages: messages.map(({ attachments, text, ...message }) => ({
      ...(isTextDigest(text) ? { text_file: MISSING_TEXT } : { text }),
      ...message,
      ...(attachments === undefined ? {} : { attachments: attachments.map(writeAttachment) }),
    })),
  };
  const { plural } = KIND_ROWS[kind];
  const document = new Document({ accounts: [account], [plural]: [resource] });
  document.commentBefore = ` ${about}`;
  messages.forEach((_message, index) => {
    const file = document.getIn([plural, 0, 'messages', index, 'text_file'], true);
    if (isScalar(file)) file.comment = ' TODO: take the text from git';
  });
  return document.toString(PRINTED);
}

/** In a file, a local file is its path. */
function writeAttachment({ file, type, ...media }: Readonly<Record<string, unknown>>): object {
  if (typeof file !== 'object' || file === null || !('path' in file)) return { ...media, type };
  return { file: file.path, ...media };
}
