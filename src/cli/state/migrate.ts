import { formatCommand } from '../../domain/command-line.ts';
import { settingFor } from '../../domain/ledger-transfer.ts';
import type { StateChange } from '../../domain/reports.ts';
import { joined, shown, type Visible } from '../../domain/visible.ts';
import { migrateLedger, type MigrateOptions, type Migration } from '../../ledger/migrate.ts';
import { migrateEvents, type EventMigration } from '../../operations/events/migrate-events.ts';
import { configuredState } from '../../library/configured-state.ts';
import { count } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { statePorts } from '../with-configured-state.ts';
import { openPlace } from './open.ts';
import { reportState } from './report.ts';

const INTERRUPTS = {
  first: 'Interrupted. Finishing the move of the ledger.',
  second: 'Stopped immediately. Run the command again: it finishes the move.',
};

/** `herald state migrate FROM TO`: moves the ledger to another place, and marks the old one. Sends nothing. */
export async function stateMigrateCommand(
  context: Context,
  given: { readonly from: string; readonly to: string; readonly force: boolean },
): Promise<number> {
  chooseFormat(context, REPORT_FORMATS);
  const from = await openPlace(context, given.from);
  const to = await openPlace(context, given.to);
  try {
    await to.postgres?.init();
    const options = {
      at: new Date(context.clock.now()).toISOString(),
      who: context.identity.who,
      force: given.force,
    };
    const moved = await context.protect(() => {
      context.onChange?.();
      return migrateBoth(from, to, options);
    }, INTERRUPTS);
    const words = wordsOf(moved, await next(context, moved.ledger));
    await reportState(context, to.state, { change: changeOf(moved), words });
    return EXIT.done;
  } finally {
    await from.close();
    await to.close();
  }
}

type Place = Pick<Awaited<ReturnType<typeof openPlace>>, 'state' | 'events'>;

interface Moved {
  readonly ledger: Migration;
  readonly events: EventMigration;
}

async function migrateBoth(from: Place, to: Place, options: MigrateOptions): Promise<Moved> {
  const ledger = await migrateLedger(from.state, to.state, options);
  return { ledger, events: await migrateEvents(from.events, to.events) };
}

function changeOf({ ledger, events }: Moved): StateChange {
  const { from, to, lines, digest, added, archives } = ledger;
  return {
    did: 'migrate',
    from: from.name,
    to: to.name,
    lines,
    digest,
    added,
    archives,
    events: events.moved,
  };
}

/** What is left to do: `herald.yaml` may name the old place. */
async function next(context: Context, { to }: Migration): Promise<string> {
  const configured = await configuredState(statePorts(context));
  await configured.close();
  return configured.state.ledger.name === to.name
    ? formatCommand('plan')
    : `write in herald.yaml: ${settingFor(to)}`;
}

function wordsOf({ ledger, events }: Moved, after: string): Visible {
  const { from, to, lines, digest, added, archives } = ledger;
  const isFile = from.as === '.herald';
  return joined(
    [
      shown`Moved the ledger from ${from.name} to ${to.name}.`,
      shown`Both have the same ${count(lines, 'line')} (${digest}). ${added} were new there.${archives === 0 ? '' : ` ${count(archives, 'archive')} went with them.`}`,
      shown`${from.name} is marked: no run uses it any more.${isFile ? ' Commit it if it is in git.' : ''}`,
      ...describeMovedEvents(events),
      shown`Next: ${after}`,
    ],
    '\n',
  );
}

function describeMovedEvents({ moved, left }: EventMigration): readonly Visible[] {
  if (moved + left === 0) return [];
  const rest =
    left === 0 ? '' : ` ${count(left, 'event')} stayed, because the new place has the same content.`;
  return [
    shown`Moved ${count(moved, 'event')} too.${rest} A receiver that still runs there goes on in the old place: restart it, then run this command again.`,
  ];
}
