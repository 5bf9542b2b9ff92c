import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { SERVICE_DEFAULTS } from '../../domain/workspace.ts';
import { joined, shown, type Visible } from '../../domain/visible.ts';
import { ledgerAddress } from '../../library/ledger-address.ts';
import { loadSettings } from '../../workspace/load.ts';
import { checkLedger, type LedgerHealth } from '../../ledger/check.ts';
import { throughLedger } from '../../ledger/passes.ts';
import { byteWords } from '../../render/byte-words.ts';
import { renderDiagnostics } from '../../render/diagnostics.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import type { LedgerCheck } from '../../domain/reports.ts';
import { EXIT } from '../exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { KEEP_DEFAULT, keepFrom, keptFrom } from './keep.ts';

/** `herald ledger check`: checks the ledger for damage and unconfirmed requests. Changes nothing. */
export async function ledgerCheckCommand(context: Context): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const health = await inspectLedger(context);
  const healthy = isHealthy(health);
  context.output.result(
    format === 'json' ? renderJson(documentOf(context, health)) : textOf(context, health),
  );
  return healthy ? EXIT.done : EXIT.failed;
}

/** Inspects the ledger with the window of the workspace, or the default one if the workspace is not valid. */
export async function inspectLedger(context: Context): Promise<LedgerHealth> {
  const loaded = await loadSettings(context.files, { env: context.env });
  const settleSec =
    loaded.kind === 'invalid' ? SERVICE_DEFAULTS.settleSec : loaded.settings.service.settleSec;
  const nowMs = context.clock.now();
  const { ledger } = context.state;
  const lines = await ledger.open();
  try {
    const check = checkLedger({
      name: ledger.name,
      bytes: await lines.size(),
      nowMs,
      address:
        loaded.kind === 'invalid' ? null : await ledgerAddress(context.files, loaded.settings.service.target),
      settleMs: settleSec * 1000,
      compactBefore: await keptFrom(lines, keepFrom(KEEP_DEFAULT, nowMs)),
    });
    return await throughLedger(lines, check);
  } finally {
    await lines.close();
  }
}

export function isHealthy({ findings }: LedgerHealth): boolean {
  return !findings.some(({ severity }) => severity === 'error');
}

function documentOf({ state }: Context, health: LedgerHealth): LedgerCheck {
  const { findings, unfinished, lines, bytes, objects, finishedLines } = health;
  return {
    schema: 'herald/ledger-check/1',
    healthy: isHealthy(health),
    file: state.ledger.name,
    lines,
    bytes,
    objects,
    settled_lines: finishedLines,
    open: unfinished.map(({ entry, what, sentAt, ageSec, who, advice }) => ({
      entry,
      what,
      sent_at: sentAt,
      age_sec: ageSec,
      who,
      advice,
    })),
    findings: [...findings],
  };
}

function textOf({ output, state }: Context, health: LedgerHealth): Visible {
  const { findings, lines, bytes, objects, finishedLines } = health;
  const size = `${state.ledger.name}: ${count(lines, 'line')}, ${byteWords(bytes)}, ${count(objects, 'object')} known.`;
  const judgement =
    lines === 0
      ? 'Nothing is recorded yet.'
      : isHealthy(health)
        ? 'No problems found.'
        : 'This needs manual repair; see above.';
  const settled =
    finishedLines === 0
      ? ''
      : ` ${count(finishedLines, 'line')} can be moved to an archive: ${formatCommand('ledger', 'compact')}`;
  return joined([renderDiagnostics(findings, output), shown`${size} ${judgement}${settled}\n`], '');
}
