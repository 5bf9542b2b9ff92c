import type { Mutant } from '../mutant.ts';

/** False statements: each leaves every request as it is, and says something else about it. */
export const REPORTS: readonly Mutant[] = [
  {
    name: 'drift never differs',
    protects: 'Drift ends with exit 0 only if everything declared is live as the files have it.',
    file: 'src/cli/exit-of.ts',
    find: 'return sendsChanges(plan) || isBlocked || blockedMessages(plan) > 0 ? EXIT.differences : EXIT.done;',
    replace: 'return isBlocked && plan.changes.length < 0 ? EXIT.differences : EXIT.done;',
  },
  {
    name: 'a detailed plan has nothing to do',
    protects: 'A plan with --detailed-exitcode ends with exit 0 only if an apply has nothing to do.',
    file: 'src/cli/exit-of.ts',
    find: 'return detailed && sendsChanges(plan) ? EXIT.differences : EXIT.done;',
    replace: 'return detailed && plan.changes.length < 0 ? EXIT.differences : EXIT.done;',
  },
  {
    name: 'every stop counts as a stop by a person',
    protects:
      'A change needs --allow resume only if someone other than an apply may have stopped its object.',
    file: 'src/plan/person-stops.ts',
    find: "return !(isArchived(observed.live) && pausedFor === 'declared' && isEarly);",
    replace: 'return isEarly && !isEarly && pausedFor === null;',
  },
  {
    name: 'an answered status change is called unknown',
    protects: 'An outcome is unknown only if a request got no answer.',
    file: 'src/apply/step-status.ts',
    find: "if (held.kind === 'ok') context.ownStatuses.set(liveId, target);",
    replace: "if (held.kind === 'ok') return unconfirmed(context, asked, 'never confirmed');",
  },
  {
    name: 'an answered create is called unknown',
    protects: 'An outcome is unknown only if a request got no answer.',
    file: 'src/apply/step-create.ts',
    find: "return { kind: 'ok', liveId: id, ...(notes.length === 0 ? {} : { note: notes.join('; ') }) };",
    replace: "return { kind: 'unknown', message: notes.join('; ') };",
  },
  {
    name: 'an answered status change is called failed',
    protects: 'A status change that was answered with success, and holds, has not failed.',
    file: 'src/apply/step-status.ts',
    find: "if (held.kind === 'ok') context.ownStatuses.set(liveId, target);",
    replace: "if (held.kind === 'ok') return { kind: 'failed', message: 'It was refused.', denied: false };",
  },
  {
    name: 'what runs is kept as paused',
    protects: 'Nothing to do about a resource that is declared paused means that nothing of it runs.',
    file: 'src/plan/campaign/decide.ts',
    find: '    active_different: pauseAll,',
    replace: '    active_different: keep,',
  },
  {
    name: 'a raw call that was answered fails',
    protects: 'A raw call that was answered with success ends with exit 0.',
    file: 'src/cli/service/api.ts',
    find: 'return unconfirmed === null ? exit : tellUnconfirmed(context, unconfirmed);',
    replace: "return unconfirmed === null && !name.endsWith('.create') ? exit : EXIT.failed;",
  },
];
