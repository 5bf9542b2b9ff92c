import type { Mutant } from '../mutant.ts';

/** Texts that the service rewrites, and texts that people edit. */
export const REWRITES: readonly Mutant[] = [
  {
    name: 'a late rewrite is replaced again and again',
    protects: 'Nothing is replaced twice in succession for the same field.',
    file: 'src/plan/left-as-it-is.ts',
    find: "if (allow.has('replace') || !group.some(mayBeLeft)) return group;",
    replace: 'if (allow.size >= 0) return group;',
  },
  {
    name: 'the first edit is left',
    protects: 'What differs for the first time is replaced.',
    file: 'src/plan/left-as-it-is.ts',
    find: 'if (!comparison.fields.every((field) => before.some((old) => differedIn(field, old)))) return member;',
    replace: 'if (before.some((old) => differedIn === undefined && old === null)) return member;',
  },
  {
    name: 'a new text in the file is left unsent',
    protects: 'A text that the file has changed is sent, whatever was replaced before.',
    file: 'src/plan/left-as-it-is.ts',
    find: 'const made = group.filter(({ known }) => known?.contentDigest === content);',
    replace: "const made = group.filter(() => content !== '');",
  },
  {
    name: 'a lost create that was rewritten is not known again',
    protects: 'A lost create is not sent a second time after the service rewrote its text.',
    file: 'src/apply/judge-create.ts',
    find: "contentMatch(entry, object) === 'reworded' &&",
    replace: "contentMatch(entry, object) === 'equal' &&",
  },
  {
    name: 'a lost create that was rewritten is replaced by the run that finds it',
    protects: 'The run that finds a lost create sends it no second time.',
    file: 'src/reconcile/block-second-create.ts',
    find: "return isFound && change.action === 'replace' ? null :",
    replace: "return isFound && change.action === 'replace' ? change :",
  },
  {
    name: 'something new under the name does not stop a second create',
    protects:
      'A run with a create that got no answer creates nothing under a name under which anything is new, whatever it contains.',
    file: 'src/reconcile/block-second-create.ts',
    find: ': blockChange(change, why);',
    replace: ': change;',
  },
  {
    name: 'another version next to a replace that failed after its create runs on',
    protects:
      'The final scan stops another version also next to a new one of a replace that failed after its create.',
    file: 'src/reconcile/stop-others.ts',
    find: '[...groupBy(live, ({ address })',
    replace: '[...groupBy(live.filter(isDone), ({ address })',
    test: { file: 'test/flows/replaced-by-two.test.ts', name: 'are stopped next to the new version' },
  },
  {
    name: 'another version next to a new one runs on',
    protects: 'The final scan stops another version that appeared next to what the run created or adopted.',
    file: 'src/reconcile/stop-others.ts',
    find: 'const ids = own.get(address);\n    if (ids === undefined) return [];',
    replace:
      "const ids = own.get(address);\n    if (ids === undefined || change.action === 'pause' || change.action === 'replace') return [];",
  },
  {
    name: 'a stopped copy stands for the lost create',
    protects: 'A duplicate that Herald stopped is not taken for what the lost create next to it made.',
    file: 'src/apply/judge-create.ts',
    find: '(isOnlyCopies && rewordedIn(input, entry, since) !== undefined)',
    replace: '(isOnlyCopies && rewordedIn(input, entry, since) === null)',
  },
  {
    name: 'a rewritten object of no one is not a reason to wait',
    protects: 'What a lost create may have made is not sent a second time under another name.',
    file: 'src/plan/guards/guards.ts',
    find: '(nowMs < entry.sentAtMs + settleMs || maybeMadeBy(entry) !== null),',
    replace: '(nowMs < entry.sentAtMs + settleMs || maybeMadeBy(entry) === ""),',
  },
  {
    name: 'every difference is accepted as a rewrite',
    protects: 'Only the answer to a create tells what the service makes of it.',
    file: 'src/plan/compare/compare.ts',
    find: '.filter((field) => !isKnownRewrite(field, known));',
    replace:
      '.filter((field) => !isKnownRewrite(field, known) && !(field.path.endsWith("].text") && known?.contentDigest === contentDigest(content)));',
  },
];
