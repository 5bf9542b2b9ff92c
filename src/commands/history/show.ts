import { Document, isScalar } from 'yaml';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { word } from '../../cli/flags.ts';
import { type Kind, KIND_ROWS } from '../../domain/resource.ts';
import { isTextDigest } from '../../domain/text.ts';
import { harmless } from '../../domain/visible.ts';
import { PRINTED } from '../../import/resource-file.ts';
import { readVersions, type Version } from '../../cli/versions.ts';

/** Prints one declared version of a resource as YAML, to compare it with a file or to go back to it. */
export const show = defineCommand({
  path: 'history show',
  about: 'print a declared version of a resource as YAML (default: the last one)',
  examples: [
    'herald history show alice/campaign/Welcome',
    'herald history show alice/campaign/Welcome 1a2b3c4d',
  ],
  more: 'VERSION is the beginning of a digest (column version), a live id, or an entry. Texts of messages are in git, not in the state.',
  words: { address: word('ADDRESS'), version: word('[VERSION]') },
  needs: 'state',
  run: async (_context, { address: written, version }, state) => {
    const { address, choose } = await readVersions(state, written, 'show');
    const chosen = choose(version, -1);
    const { item, asked } = chosen;
    const { entry, at, who, outcome, live_id, content_digest } = item;
    const facts = { address, entry, at, who, outcome, live_id, content_digest };
    return itemResult(
      { ...facts, scheduled_at: asked.hour, content: asked.wanted },
      harmless(drawYaml(chosen)),
    );
  },
});

/** A resource file with this content. It is not valid before a person has filled in the texts, which the state does not have. */
function drawYaml({ item, asked }: Version): string {
  const { audience_filters: filters, messages, ...others } = asked.wanted;
  const resource = {
    name: item.name,
    ...(asked.protect === true ? { protect: true } : {}),
    ...(asked.hour === null ? {} : { scheduled_at: asked.hour }),
    ...others,
    ...(filters.length === 0 ? { audience: 'everyone' } : { audience_filters: filters }),
    messages: messages.map(({ text, ...message }, index) => ({
      // A file that does not exist: with an empty text, a message with media would be valid, and lose its words.
      ...(isTextDigest(text) ? { text_file: `text-from-git-${index + 1}.md` } : { text }),
      ...message,
    })),
  };
  const { account, address, at, who, outcome, version } = item;
  const { plural } = KIND_ROWS[item.kind as Kind];
  const document = new Document({ accounts: [account], [plural]: [resource] });
  document.commentBefore = ` Version ${version ?? '-'} of ${address}, ${at} by ${who ?? 'an unknown person'}: ${outcome}`;
  messages.forEach((_message, index) => {
    const file = document.getIn([plural, 0, 'messages', index, 'text_file'], true);
    if (isScalar(file)) file.comment = ' TODO: take the text from git';
  });
  return document.toString(PRINTED);
}
