import { Document, isScalar } from 'yaml';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { optionalWord, word } from '../../cli/flags.ts';
import { chooseVersion, readVersions, requireContent } from '../../cli/history.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { KIND_ROWS } from '../../domain/resource.ts';
import { isTextDigest } from '../../domain/text.ts';
import { harmless, quoted } from '../../domain/visible.ts';
import { PRINTED } from '../../import/resource-file.ts';
import type { Asked } from '../../plan/compare/asked.ts';

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
    const found = await readVersions(state, written, 'show');
    const { address, versions } = found;
    const chosen = version === undefined ? versions.at(-1) : chooseVersion(found, version);
    if (chosen === undefined)
      throw new HeraldError(
        'not-found',
        `The state has no version of ${quoted(address)}.`,
        'Only versions that Herald created are recorded.',
      );
    const asked = requireContent(address, chosen);
    const { entry, at, who, outcome, live_id, content_digest, account, kind, version: digest } = chosen.item;
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
