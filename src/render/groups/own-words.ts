import type { Change, Queued } from '../../domain/change.ts';

/**
 * The sentences of a change without its own ids and its account. Equal changes of several accounts have the same
 * ones: `To keep <id>: herald import --update`.
 */
export interface OwnWords {
  readonly reasons: readonly string[];
  readonly undo: string;
  /** The ids that were replaced, in the order of their placeholders. Empty if no sentence names one. */
  readonly ids: readonly string[];
}

/** How many sends of one object are queued. Groups show the sum, if each change has one. */
const QUEUED = /about \d+ sends? (?:is|are) still queued \(\d+ targeted, \d+ sent\)/g;
const QUEUED_MARK = '<queued>';

/** The sentences with the queued sends of all these changes. */
export function withQueued(reasons: readonly string[], changes: readonly Change[]): readonly string[] {
  const all = changes.flatMap(({ queued = [] }) => queued);
  const sum = (of: (one: Queued) => number) => all.reduce((total, one) => total + of(one), 0);
  const [about, targeted, sent] = [
    sum((one) => one.about),
    sum((one) => one.targeted),
    sum((one) => one.sent),
  ];
  const words = `about ${about} sends in all are still queued (${targeted} targeted, ${sent} sent)`;
  return reasons.map((reason) => reason.replaceAll(QUEUED_MARK, words));
}

/** Replaces the ids of the change's objects, and its account in commands and addresses. */
export function ownWords(change: Change): OwnWords {
  const ids = idsOf(change);
  const named = new Set<string>();
  const replace = (text: string): string => {
    const withoutIds = ids.reduce(
      (words, id, index) => {
        return words.replace(wholeWord(id), () => {
          named.add(id);
          return ids.length === 1 ? '<id>' : `<id ${index + 1}>`;
        });
      },
      change.queued?.length === 1 ? text.replace(QUEUED, QUEUED_MARK) : text,
    );
    return withoutIds.includes(change.address.account) ? withoutAccount(withoutIds, change) : withoutIds;
  };
  const reasons = change.reasons.map(replace);
  const undo = replace(change.undo);
  return { reasons, undo, ids: named.size === 0 ? [] : ids };
}

/** Ids of the objects of a change, each once. */
function idsOf({ live_id, steps }: Change): readonly string[] {
  const all = [live_id, ...steps.map((step) => step.live_id)];
  return [...new Set(all.filter((id) => id !== null && id !== ''))] as readonly string[];
}

function withoutAccount(text: string, { address: { account, kind } }: Change): string {
  const name = escaped(account);
  return text
    .replace(new RegExp(`(?<=--account )${name}(?![\\w-])`, 'g'), '<account>')
    .replace(new RegExp(`(?<![\\w-])${name}(?=/${kind}/)`, 'g'), '<account>');
}

function wholeWord(text: string): RegExp {
  return new RegExp(`(?<![\\w-])${escaped(text)}(?![\\w-])`, 'g');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
