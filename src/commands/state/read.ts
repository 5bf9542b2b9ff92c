import { defineCommand } from '../../cli/define-command.ts';
import type { StateReport } from '../../cli/schemas.ts';
import { checkState, describeUnconfirmed } from '../../cli/state.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { joined, type Visible, shown, visible, visibleProse } from '../../domain/visible.ts';
import { renderDiagnostics } from '../../render/diagnostics.ts';
import { count } from '../../render/wording.ts';

/** Where the state is, who has the lease, and what is unconfirmed. Changes nothing. */
export const show = defineCommand({
  path: 'state show',
  about: 'show where the state is, who has the lease, and what is unconfirmed',
  examples: ['herald state show', 'herald state show --format json'],
  needs: 'state',
  run: async (context, _given, state) => {
    const { kind } = await context.state.location();
    const lease = await state.leaseRecord();
    const { isCut } = await state.known([]);
    const open = await state.open();
    const until = lease?.expires_at ?? null;
    const report: StateReport = {
      schema: 'herald/state/1',
      place: state.name,
      kind,
      service: state.service,
      lease: lease && { holder: lease.holder, until: until === null ? null : new Date(until).toISOString() },
      cut: isCut,
      objects: (await state.allObjects()).length,
      unconfirmed: open.filter(({ outcome }) => outcome === null).map(describeUnconfirmed),
    };
    return { json: () => report, text: () => drawReport(report) };
  },
});

function drawReport(report: StateReport): Visible[] {
  const { place, service, objects, cut, unconfirmed } = report;
  const afterCut = shown`It was imported, unlocked or lost: the next run waits for one window before it starts anything.`;
  return [
    shown`State: ${place}`,
    shown`Service: ${service}. ${count(objects, 'object')} known.`,
    drawLease(report),
    ...(cut ? [afterCut] : []),
    unconfirmed.length === 0
      ? shown`No request is unconfirmed.`
      : shown`${count(unconfirmed.length, 'request is', 'requests are')} unconfirmed:`,
    ...unconfirmed.flatMap(({ entry, what, sent_at: at, who, advice }) => [
      shown`  ${entry}: ${visibleProse(what)}, sent at ${at} by ${visible(who ?? 'an unknown person')}`,
      shown`      ${visibleProse(advice)}`,
    ]),
  ];
}

function drawLease({ kind, lease }: StateReport): Visible {
  if (lease === null) return shown`Lease: free.`;
  const { holder, until } = lease;
  const end =
    until !== null
      ? shown`It ends at ${until} unless that run renews it.`
      : kind === 'branch'
        ? shown`It does not end by itself. If that run is gone: ${formatCommand('state', 'unlock')}`
        : shown`If that process has ended, the next run takes it.`;
  return shown`Lease: ${visibleProse(holder)}. ${end}`;
}

/** Checks all services of the state for what no run looks at. */
export const check = defineCommand({
  path: 'state check',
  about: 'check the state for damage and old unconfirmed requests; exit 1 if a person must act',
  examples: ['herald state check', 'herald state check --format json'],
  needs: 'nothing',
  run: async (context) => {
    const report = await checkState(context);
    const { place, healthy, services, findings } = report;
    const rows = services.map(({ service, rows: number }) => `${count(number, 'row')} of ${service}`);
    const fine = findings.length === 0 ? 'No problems found.' : 'No person must act now.';
    const verdict = healthy ? fine : 'A person must act; see above.';
    const summary = shown`${place}: ${rows.length === 0 ? 'nothing is recorded yet' : rows.join(', ')}. ${verdict}`;
    return {
      exit: healthy ? EXIT.done : EXIT.failed,
      json: () => report,
      text: () => joined([renderDiagnostics(findings, context.output), summary], ''),
    };
  },
});
