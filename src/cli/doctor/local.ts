import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { formatDiagnostic, type Diagnostic } from '../../domain/diagnostic.ts';
import type { Declared } from '../../domain/resource.ts';
import type { WorkspaceSettings } from '../../domain/workspace.ts';
import { loadDeclared, loadSettings } from '../../workspace/load.ts';
import { count } from '../../render/wording.ts';
import { inspectLedger } from '../ledger/check.ts';
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

function firstOf(diagnostics: readonly Diagnostic[]): string {
  const [first, ...others] = diagnostics;
  if (first === undefined) return 'nothing is known';
  return `${formatDiagnostic(first)}${others.length === 0 ? '' : ` (and ${others.length} more)`}`;
}

export async function ledgerChecks(context: Context): Promise<readonly Check[]> {
  return guarded('ledger', async () => {
    const { findings, lines, objects } = await inspectLedger(context);
    const severe = findings.filter(({ severity }) => severity === 'error');
    const lesser = findings.filter(({ severity }) => severity === 'warning');
    const hint = `For details and fixes: ${formatCommand('ledger', 'check')}`;
    if (severe.length > 0) return [fail('ledger', firstOf(severe), hint)];
    if (lesser.length > 0) return [warn('ledger', firstOf(lesser), hint)];
    const words =
      lines === 0 ? 'nothing is recorded yet' : `${count(lines, 'line')}, ${count(objects, 'object')} known`;
    return [ok('ledger', words)];
  });
}

export async function lockChecks({ state }: Context): Promise<readonly Check[]> {
  return guarded('lock', async () => {
    const holder = await state.leases.holder();
    if (holder === null) return [ok('lock', 'no other run is active')];
    if (holder.life === 'dead')
      return [warn('lock', `stale lock of ${holder.words}, which has ended`, 'The next apply removes it.')];
    if (holder.life === 'perhaps_dead')
      return [
        warn(
          'lock',
          `held by ${holder.words}`,
          'Its process may have ended. The next apply waits 30 s for a sign of it, then takes the lock.',
        ),
      ];
    return [
      warn(
        'lock',
        `held by ${holder.words}`,
        `Changes have to wait until it ends. Reads and plans work. If that process is gone: ${formatCommand('state', 'unlock')}`,
      ),
    ];
  });
}
