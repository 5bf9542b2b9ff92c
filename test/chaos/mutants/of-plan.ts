import type { Mutant } from './mutants.ts';

const GUARDS = ['test/plan/guards.test.ts'] as const;
const CAMPAIGNS = ['test/plan/campaign-table.test.ts'] as const;
const BROADCASTS = ['test/plan/broadcast-table.test.ts'] as const;

export const OF_PLAN: readonly Mutant[] = [
  {
    name: 'open-request-ignored',
    rule: 'Nothing starts while a request about the name is open.',
    file: 'src/plan/decide/campaign.ts',
    text: "row('a request about it is unconfirmed', ({ open }) => open.length > 0, {",
    becomes: "row('a request about it is unconfirmed', ({ open }) => open.length > 9, {",
    test: CAMPAIGNS,
  },
  {
    name: 'person-overlooked',
    rule: 'What a person stopped stays stopped without --allow resume.',
    file: 'src/plan/decide/group.ts',
    text: `return isStopped(version.observed.live) && !facts.allow.has('resume') && !isStoppedByHerald(version, facts);`,
    becomes: `return isStopped(version.observed.live) && !facts.allow.has('resume') && version.known === null;`,
  },
  {
    name: 'stop-by-hand-is-heralds',
    rule: 'What a command by hand stopped counts as stopped by a person.',
    file: 'src/plan/decide/group.ts',
    text: `known.status_by !== 'apply' ||`,
    becomes: 'known.status_by === null ||',
  },
  {
    name: 'cut-trusted',
    rule: "What stands still in a cut state counts as a person's.",
    file: 'src/plan/decide/group.ts',
    text: "known.status_by !== 'apply' || facts.known.isCut) return false;",
    becomes: "known.status_by !== 'apply') return false;",
    test: GUARDS,
  },
  {
    name: 'recalled-again',
    rule: 'What was recalled is never sent again under its name.',
    file: 'src/plan/decide/campaign.ts',
    text: "row('the declared text was recalled', (the) => withText(the).some(wasRecalled), {",
    becomes: "row('the declared text was recalled', (the) => withText(the).length > 99, {",
    test: CAMPAIGNS,
  },
  {
    name: 'sent-for-another-hour',
    rule: 'A broadcast that has left is never sent again for another hour.',
    file: 'src/plan/decide/broadcast.ts',
    text: `row('it has left', has('left'), {`,
    becomes: `row('it has left', has('left', ({ id }) => id === ''), {`,
  },
  {
    name: 'replace-near-its-hour',
    rule: 'A broadcast is replaced only 10 minutes before its hour.',
    file: 'src/plan/decide/broadcast.ts',
    text: 'if (!hours.every((hour) => isAhead(hour, facts.time.latestMs, REPLACE_LEAD_MS)))',
    becomes: 'if (hours.length > 99)',
    test: BROADCASTS,
  },
  {
    name: 'missing-is-gone',
    rule: 'An object on record that the list does not show counts as running until it is forgotten.',
    file: 'src/plan/guards.ts',
    text: 'if (!starts(wanted) || missing.length === 0) return null;',
    becomes: 'if (!starts(wanted) || missing.length >= 0) return null;',
    test: GUARDS,
  },
  {
    name: 'same-content-twice',
    rule: 'The same content under another name starts only if both files declare it.',
    file: 'src/plan/guards.ts',
    text: 'const same = findSame(declared, group.versions, listStarted(wanted, group));',
    becomes: 'const same = group === null ? findSame(declared, group.versions, []) : null;',
    test: GUARDS,
  },
  {
    name: 'alias-moved',
    rule: 'Nothing is written to an alias that was another account.',
    file: 'src/live/accounts.ts',
    text: 'if (was === undefined || was === is) return [];',
    becomes: 'if (was === undefined || was !== null) return [];',
    test: ['test/flows/accounts.test.ts'],
  },
  {
    name: 'protection-ignored',
    rule: 'What is protected is never stopped or replaced.',
    file: 'src/plan/guards.ts',
    text: 'if (!isKnown && (!declared.protect || isAnotherKept)) return null;',
    becomes: 'if (!isKnown || isAnotherKept) return null;',
    test: GUARDS,
  },
  {
    name: 'writes-to-strangers',
    rule: 'What is not ours is written to only with --allow adopt.',
    file: 'src/plan/decide/decision.ts',
    text: 'versions.some(({ id, ours }) => !ours && written.has(id));',
    becomes: 'versions.some(({ ours }) => !ours && written.size > 99);',
    test: GUARDS,
  },
  {
    name: 'remainder-of-anything',
    rule: 'A remainder has only objects of the agreed change, or that the run made.',
    file: 'src/plan/review.ts',
    text: 'return isAgreed && listIds(next).every((id) => own.has(id));',
    becomes: 'return isAgreed || own.size === 0;',
    test: ['test/plan/remainder.test.ts'],
  },
];
