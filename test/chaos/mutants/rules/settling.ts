import type { Mutant } from '../mutant.ts';

/** How it is found out what became of a request without an answer. */
export const SETTLING: readonly Mutant[] = [
  {
    name: 'no baseline',
    protects: 'What was live before a create is not taken for its result.',
    file: 'src/apply/judge-create.ts',
    find: '!entry.baseline.includes(live.id) && !taken.has(live.id)',
    replace: '!taken.has(live.id)',
  },
  {
    name: 'no window',
    protects: 'A lost create is absent only once it can no longer be carried out.',
    file: 'src/apply/verdict.ts',
    find: 'return input.readStartedMs >= entry.sentAtMs + input.settleMs;',
    replace: 'return input.readStartedMs >= entry.sentAtMs;',
  },
  {
    name: 'content is not compared',
    protects: 'An object with other content is not adopted as the result of a lost create.',
    file: 'src/apply/judge-create.ts',
    find: "return contentMatch === null ? isByUs(knowledge, object) : contentMatch === 'equal';",
    replace: 'return contentMatch !== null || isByUs(knowledge, object);',
  },
  {
    name: 'no final scan',
    protects: 'An apply looks once more at the end, and stops a duplicate that turned up.',
    file: 'src/reconcile/carry-out.ts',
    find: 'if (next.length === 0) return { ...executed, report };',
    replace: 'if (next.length >= 0) return { ...executed, report };',
  },
  {
    name: 'a third create',
    protects: 'A create that stayed without an answer twice is not sent a third time.',
    file: 'src/reconcile/resolve-unknown.ts',
    find: "return round === 'create once more' ||",
    replace: 'return true ||',
  },
  {
    name: 'half-done status is believed',
    protects: 'A status change that was not confirmed is asked for again, because it may be half done.',
    file: 'src/apply/judge-open.ts',
    find: '      repeat: true,\n',
    replace: '      repeat: false,\n',
  },
  {
    name: 'an open create holds nothing back',
    protects: 'Nothing is created next to a create that may still be carried out.',
    file: 'src/plan/guards/guards.ts',
    find: '  if (!starts(wanted)) return wanted;\n  const recall',
    replace: "  if (wanted.action !== 'unmanaged') return wanted;\n  const recall",
  },
  {
    name: 'the old version runs in doubt',
    protects: 'While the create of a replace is in doubt, the old version stays paused.',
    file: 'src/apply/change-run.ts',
    find: '  if (createdId !== null)\n    return end(',
    replace:
      "  if (result.kind === 'unknown' && step.kind === 'create') await restore(context, done);\n  if (createdId !== null)\n    return end(",
  },
  {
    name: 'unknown becomes applied',
    protects: 'A look that does not show the effect leaves an unknown outcome unknown.',
    file: 'src/apply/merge-reports.ts',
    find: "if (action === 'done') return id !== unknown.live_id && !before.has(liveKey(address.kind, id ?? ''));",
    replace: "if (action === 'done') return id !== address.kind;",
  },
  {
    name: 'settling does not wait',
    protects: 'An apply does not end before its lost creates are settled.',
    file: 'src/reconcile/resolve-unknown.ts',
    find: 'if (open.size === 0 || !resolving.mayGoOn()) return current;\n    const stopCopies',
    replace: 'if (open.size >= 0 || !resolving.mayGoOn()) return current;\n    const stopCopies',
  },
];
