import { formatCommand } from '../../domain/command-line.ts';
import type { StateReport } from '../schemas.ts';
import { joined, shown, visible, visibleProse, type Visible } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import type { State } from '../../state/state.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { readingState } from './open.ts';
import { describeUnconfirmed } from './unconfirmed.ts';

/** `herald state show`: where the state is, who has the lease, and what is unconfirmed. Changes nothing. */
export async function stateShowCommand(context: Context): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const { kind } = await context.state.location();
  const report = await readingState(context, (state) => reportState(state, kind));
  context.output.result(format === 'json' ? renderJson(report) : describeReport(report));
  return EXIT.done;
}

async function reportState(state: State, kind: StateReport['kind']): Promise<StateReport> {
  const lease = await state.leaseRecord();
  const { isCut } = await state.known([]);
  const open = await state.open();
  return {
    schema: 'herald/state/1',
    place: state.name,
    kind,
    service: state.service,
    lease:
      lease === null
        ? null
        : {
            holder: lease.holder,
            until: lease.expires_at === null ? null : new Date(lease.expires_at).toISOString(),
          },
    cut: isCut,
    objects: await state.countObjects(),
    unconfirmed: open.filter(({ outcome }) => outcome === null).map(describeUnconfirmed),
  };
}

function describeReport(report: StateReport): Visible {
  const { place, service, objects, cut, unconfirmed } = report;
  const lines = [
    shown`State: ${place}`,
    shown`Service: ${service}. ${count(objects, 'object')} known.`,
    describeLease(report),
    ...(cut
      ? [
          shown`It was imported, unlocked or lost: the next run waits for one window before it starts anything.`,
        ]
      : []),
    unconfirmed.length === 0
      ? shown`No request is unconfirmed.`
      : shown`${count(unconfirmed.length, 'request is', 'requests are')} unconfirmed:`,
    ...unconfirmed.flatMap(({ entry, what, sent_at: at, who, advice }) => [
      shown`  ${entry}: ${visibleProse(what)}, sent at ${at} by ${visible(who ?? 'an unknown person')}`,
      shown`      ${visibleProse(advice)}`,
    ]),
  ];
  return joined([...lines, shown``], '\n');
}

function describeLease({ kind, lease }: StateReport): Visible {
  if (lease === null) return shown`Lease: free.`;
  const { holder, until } = lease;
  if (until !== null)
    return shown`Lease: ${visibleProse(holder)}. It ends at ${until} unless that run renews it.`;
  if (kind === 'branch')
    return shown`Lease: ${visibleProse(holder)}. It does not end by itself. If that run is gone: ${formatCommand('state', 'unlock')}`;
  return shown`Lease: ${visibleProse(holder)}. If that process has ended, the next run takes it.`;
}
