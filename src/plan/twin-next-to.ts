import type { Change } from '../domain/change.ts';
import { isSentAtOnce } from '../domain/creating-command.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import { starts } from './guards/guards.ts';
import type { Member } from './member.ts';
import { twinsOfStarted, type Decided } from './same-content.ts';
import { memberOf, type Scope } from './scope.ts';

/**
 * The same content that is live and that no file claims. Next to a draft, a paused one counts only if an apply may resume
 * it, so that a stop by hand makes way for the draft. Next to a start of what exists already, only if it runs: that
 * start sends what its object has, also where the file ignores it.
 */
export function twinsNextTo(scope: Scope, knowledge: Knowledge): (one: Decided) => Member | null {
  const twinOfStarted = twinsOfStarted(scope.unclaimed, { knowledge, isJustStarted: scope.isJustStarted });
  return (one) => {
    const { declared, changes } = one;
    if (changes.some(makesAnew))
      return scope.twinOf(
        declared,
        isSentAtOnce(declared) ? 'running or may be resumed' : 'running or paused',
      );
    if (!changes.some(starts)) return null;
    const object = twinOfStarted(one);
    return object === null ? scope.twinOf(declared, 'running') : memberOf(declared, object, knowledge);
  };
}

/**
 * A create, one that waits for an allowance, or one that comes too late: what sends the same under another name must
 * not stop for it.
 */
function makesAnew({ action, live_id: liveId }: Change): boolean {
  return action === 'create' || action === 'missed' || (action === 'blocked' && liveId === null);
}
