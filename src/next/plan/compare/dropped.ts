import type { Dropped } from '../../../domain/change.ts';
import { compareText } from '../../../domain/diagnostic.ts';
import {
  ATTACHMENT_KEYS,
  isMembers,
  isSetRule,
  MESSAGE_KEYS,
  READ_ONLY_RULES,
  isEmpty,
} from '../../../domain/live-defaults.ts';
import type { DeclaredMessage } from '../../../domain/message.ts';
import type { ObservedMessage } from '../../../domain/replies.ts';
import type { Declared, Observed } from '../../../domain/resource.ts';
import { inOrder } from './messages.ts';
import { ignoring } from './ignore.ts';
import { isFilledIn, type Shown } from './shown.ts';

type Members = Readonly<Record<string, unknown>>;

const NOTHING: Members = {};
const NONE: readonly Dropped[] = [];

/** A live object, and what was read back after its create. */
interface Looked {
  readonly observed: Observed;
  readonly shown: Shown;
}

/** What replacing these drops; of several versions, the first says each path. Their content must be readable. */
export function droppedFrom(declared: Declared, versions: readonly Looked[]): readonly Dropped[] {
  const all = versions.flatMap(({ observed, shown }) => droppedOf(declared, observed, shown));
  if (all.length === 0) return NONE;
  const first = new Map(all.toReversed().map((one) => [one.path, one]));
  return all.filter((one) => first.get(one.path) === one);
}

/** The same of one that stays, without what the files tell to leave alone. Its content must be readable. */
export function notInFile(declared: Declared, { observed, shown }: Looked): readonly Dropped[] {
  const dropped = droppedOf(declared, observed, shown);
  if (dropped.length === 0) return NONE;
  const isIgnored = ignoring(declared.ignore);
  return dropped.filter(({ path }) => !isIgnored(path));
}

/**
 * Live values that are not in the file: a replace creates the new version without them. Fields that are always compared
 * (text, price, attachments, audience) are differences and not in this list. Defaults of the service are not a loss.
 */
function droppedOf(declared: Declared, { live }: Observed, shown: Shown): readonly Dropped[] {
  const { rules, messages } = declared.content;
  const found = droppedRules(live.rules ?? NOTHING, rules ?? NOTHING, 'rules');
  const isMimic = declared.kind === 'campaign' && declared.content.action === 'start_mimic';
  const all = isMimic ? found : [...found, ...droppedFromMessages(inOrder(live.messages ?? []), messages)];
  if (all.length === 0) return NONE;
  return all
    .filter((one) => !isFilledIn(one.path, one.live, shown))
    .toSorted((left, right) => compareText(left.path, right.path));
}

function droppedRules(live: Members, declared: Members, prefix: string): readonly Dropped[] {
  const found: Dropped[] = [];
  for (const [key, value] of Object.entries(live)) {
    const wanted = declared[key];
    const path = `${prefix}.${key}`;
    if (READ_ONLY_RULES.includes(key) || !isSetRule(value)) continue;
    if (isMembers(value) && (wanted === undefined || isMembers(wanted)))
      found.push(...droppedRules(value, wanted ?? NOTHING, path));
    else if (wanted === undefined) found.push({ path, live: value });
  }
  return found;
}

/** Of messages that both sides have; one that only one side has is a difference as a whole. */
function droppedFromMessages(
  live: readonly ObservedMessage[],
  declared: readonly DeclaredMessage[],
): readonly Dropped[] {
  return live.flatMap((message, index) => {
    const wanted = declared[index];
    return wanted === undefined ? NONE : droppedFromMessage(message, wanted, `messages[${index}]`);
  });
}

/** Compared only where the file says them. */
const ONLY_WHERE_DECLARED = ['delay_sec', 'text_is_paid', 'tagged_platform_account_ids'] as const;

function droppedFromMessage(
  live: ObservedMessage,
  declared: DeclaredMessage,
  path: string,
): readonly Dropped[] {
  const found: Dropped[] = [];
  for (const key of ONLY_WHERE_DECLARED)
    if (declared[key] === undefined && !isEmpty(live[key]))
      found.push({ path: `${path}.${key}`, live: live[key] });
  found.push(...unknownMembers(live, MESSAGE_KEYS, path));
  for (const [index, attachment] of (live.attachments ?? []).entries())
    found.push(...unknownMembers(attachment, ATTACHMENT_KEYS, `${path}.attachments[${index}]`));
  return found;
}

/** What this version of Herald does not know, no create sends. */
function unknownMembers(live: Members, known: readonly string[], path: string): readonly Dropped[] {
  const found: Dropped[] = [];
  for (const [key, value] of Object.entries(live))
    if (!known.includes(key) && !isEmpty(value)) found.push({ path: `${path}.${key}`, live: value });
  return found;
}
