import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { formatDiagnostic, type PrintedDiagnostic } from '../../domain/diagnostic.ts';
import type { Declared } from '../../domain/resource.ts';
import type { WorkspaceSettings } from '../../domain/workspace.ts';
import { loadDeclared, loadSettings } from '../../workspace/load.ts';
import { count } from '../../render/wording.ts';
import { LIVE, withState } from '../../library/state-access.ts';
import { checkState } from '../state/check.ts';
import { loadOptions } from '../../library/load-options.ts';
import { fail, guarded, ok, warn, type Check } from './checks.ts';

/** The oldest supported Node: `engines` of package.json. */
export const NODE_LEAST = [20, 19] as const;

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [leastMajor, leastMinor] = NODE_LEAST;
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  if (isEnough) return ok('node', `Node ${version}`);
  return fail(
    'node',
    `Node ${version} is older than ${NODE_LEAST.join('.')}`,
    'Install Node 20.19 or newer. Other problems may come from that.',
  );
}

/** The workspace, as far as it can be read. */
export interface FoundWorkspace {
  readonly check: Check;
  /** Null if `herald.yaml` itself is not valid. */
  readonly settings: WorkspaceSettings | null;
  readonly declared: readonly Declared[];
}

export async function workspaceCheck(context: Context): Promise<FoundWorkspace> {
  const { files, env } = context;
  const loaded = await loadDeclared(files, loadOptions(context));
  if (loaded.kind === 'loaded') {
    const { workspace, declared, warnings } = loaded;
    const words = `${count(declared.length, 'resource')} in ${count(workspace.files.length, 'file')}, ${count(workspace.accounts.length, 'account')}`;
    const check =
      warnings.length === 0
        ? ok('workspace', words)
        : warn(
            'workspace',
            `${words}; ${firstOf(warnings)}`,
            `${formatCommand('validate')} shows all of it.`,
          );
    return { check, settings: workspace, declared };
  }
  const check = fail(
    'workspace',
    firstOf(loaded.diagnostics),
    loaded.diagnostics.length === 1 ? null : `${formatCommand('validate')} shows all of it.`,
  );
  const settings = await loadSettings(files, { env });
  return { check, settings: settings.kind === 'loaded' ? settings.settings : null, declared: [] };
}

function firstOf(diagnostics: readonly PrintedDiagnostic[]): string {
  const [first, ...others] = diagnostics;
  if (first === undefined) return 'nothing is known';
  return `${formatDiagnostic(first)}${others.length === 0 ? '' : ` (and ${others.length} more)`}`;
}

/** The state, and the run that has its lease. */
export async function stateChecks(context: Context): Promise<readonly Check[]> {
  return guarded('state', async () => [await stateCheck(context), await leaseCheck(context)]);
}

async function stateCheck(context: Context): Promise<Check> {
  const { findings, services, place } = await checkState(context);
  const severe = findings.filter(({ severity }) => severity === 'error');
  const hint = `For details: ${formatCommand('state', 'check')}`;
  if (severe.length > 0) return fail('state', firstOf(severe), hint);
  if (findings.length > 0) return warn('state', firstOf(findings), hint);
  const rows = services.reduce((sum, one) => sum + one.rows, 0);
  return ok('state', `${place}: ${rows === 0 ? 'nothing is recorded yet' : count(rows, 'row')}`);
}

async function leaseCheck({ state: access }: Context): Promise<Check> {
  const lease = await withState(
    access.read(() => LIVE),
    (state) => state.leaseRecord(),
  );
  if (lease === null) return ok('lease', 'no other run is active');
  return warn(
    'lease',
    `held by ${lease.holder}`,
    `Changes wait until it ends. Reads, plans and stops by hand work. If that run is gone: ${formatCommand('state', 'unlock')}`,
  );
}
