import type { FieldDifference } from '../domain/change.ts';
import { canonical } from '../domain/digest.ts';
import { isFileAttachment } from '../domain/media.ts';
import type { DeclaredMessage } from '../domain/message.ts';
import type { ObservedMessage } from '../domain/replies.ts';
import type { Declared } from '../domain/resource.ts';
import type { CompareMedia } from './compare/media.ts';
import { compareMessages } from './compare/messages.ts';
import { compareRules } from './compare/rules.ts';
import { ignoring } from './guards/ignore.ts';

/** What fans read, who gets it and when: `messages[0].text`, `audience_filters`, `trigger`. */
const WHAT_COUNTS =
  /^(?:messages(?:\.length|\[\d+\](?:\.(?:text|attachments))?)?|audience_filters.*|trigger|action)$/;

/** Whether a difference counts where the file ignores it. */
export function counts({ path }: FieldDifference): boolean {
  return WHAT_COUNTS.test(path);
}

/** Whether two files say that the same is sent: what the other one declares would be equal if it were live. */
export function bothDeclare(declared: Declared, other: Declared): boolean {
  if (headOf(declared) !== headOf(other)) return false;
  const [content, others] = [declared.content, other.content];
  const isIgnored = ignoring(declared.ignore);
  return [
    ...compareRules(content.rules ?? {}, others.rules ?? {}),
    ...compareMessages(content.messages, others.messages.map(asShown), IS_FILE),
  ].every((field) => isIgnored(field.path) && !counts(field));
}

/** Trigger, action and audience. */
function headOf({ kind, content }: Declared): string {
  const filters = content.audience_filters.map((filter) => canonical(filter)).toSorted();
  return canonical([kind, kind === 'campaign' ? [content.trigger, content.action] : null, filters]);
}

/** A file in the place of the id of its media. */
function asShown({ attachments, ...message }: DeclaredMessage): ObservedMessage {
  const shown = attachments?.map((attachment) => ({
    id: isFileAttachment(attachment) ? idOf(attachment.file) : attachment.id,
    type: attachment.type,
    is_paid: attachment.is_paid,
  }));
  return { ...message, attachments: shown };
}

const IS_FILE: CompareMedia = (file, id) => (id === idOf(file) ? 'same' : 'other');

function idOf({ digest }: { readonly digest: string }): string {
  return `file ${digest}`;
}
