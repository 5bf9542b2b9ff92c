import { formatCommand } from '../../domain/command-line.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import type { Targeting } from '../../plan/facts.ts';
import type { Opened } from '../../library/open.ts';
import { count } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import type { TargetFlags } from './targets.ts';
import { HeraldError } from '../../domain/herald-error.ts';

interface ScopeFlags extends TargetFlags {
  readonly scope: 'all' | 'changed';
  readonly base: string | undefined;
}

/** The targets of `--scope changed`, or those that were given. Says what the scope leaves. */
export async function narrowed(
  context: Context,
  { scope, base, target, exclude }: ScopeFlags,
  opened: Opened,
  given: Targeting,
): Promise<Targeting> {
  if (scope === 'all') {
    if (base === undefined) return given;
    throw new HeraldError(
      'bad-flag',
      '--base has no effect without --scope changed.',
      'Add --scope changed.',
    );
  }
  if (base === undefined)
    throw new HeraldError(
      'bad-flag',
      '--scope changed needs a commit or branch to compare with.',
      `Use: ${formatCommand('plan', '--scope', 'changed', '--base', 'main')}`,
    );
  if (target.length + exclude.length > 0)
    throw new HeraldError(
      'bad-flag',
      '--scope changed chooses the resources, so it cannot be combined with --target or --exclude.',
      'Use one or the other.',
    );
  const { scopeChanged } = await import('../../ci/scope-changed.ts');
  const found = await scopeChanged(context, await context.repository(), opened, { base, head: null });
  if (found.kind === 'all') {
    context.output.say(shown`Scope: everything, because ${visibleProse(found.because)}.`);
    return given;
  }
  const differ = count(found.addresses.length, 'resource');
  context.output.say(shown`Scope: ${differ} declared differently than in ${found.base.slice(0, 12)}.`);
  return found.targeting;
}
