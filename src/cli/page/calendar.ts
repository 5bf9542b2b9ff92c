import type { ChangeKind } from '../../domain/change.ts';
import { page, shown, type Visible } from '../../domain/visible.ts';
import { openFiles } from '../../library/open.ts';
import { EVERYTHING } from '../../plan/facts.ts';
import { describeLook } from '../../library/describe-look.ts';
import { lookAt } from '../../library/runs.ts';
import { renderJson } from '../../render/json.ts';
import { timeWords } from '../../render/time-words.ts';
import { CHANGE_WORDS } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import { workspacePorts } from '../engine-ports.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { circumstancesOf } from '../resources/circumstances.ts';
import { writeReport } from '../write-report.ts';

/** `herald calendar`: the broadcasts from today on, as lines or as an iCalendar file. Sends only reads. */
export async function calendarCommand(
  context: Context,
  { ics }: { readonly ics: string | undefined },
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const ports = workspacePorts(context);
  const opened = await openFiles(ports);
  const allow = new Set(opened.workspace.allow);
  const seen = await lookAt(ports, opened, { allow, targeting: EVERYTHING });
  const { plan } = describeLook(opened, seen, circumstancesOf(context, []));
  const [{ modelOf }, { eventsOf }] = await Promise.all([
    import('../../page/model.ts'),
    import('../../page/events.ts'),
  ]);
  const model = modelOf(plan, 'plan', new Map());
  if (ics !== undefined) {
    const { renderCalendar } = await import('../../page/ics.ts');
    await writeReport(context, ics, renderCalendar(model));
    context.output.say(shown`Calendar written to ${ics}.`);
    return EXIT.done;
  }
  const items = eventsOf(model)
    .filter(({ isOld }) => !isOld)
    .map(({ atMs, name, action, accounts }) => ({
      at: new Date(atMs).toISOString(),
      name,
      accounts,
      action,
    }));
  if (format === 'json')
    context.output.result(renderJson({ schema: 'herald/list/1', items, complete: true }));
  else
    context.output.result(
      items.length === 0 ? page([NOTHING]) : page(items.map((item) => lineOf(item, model.zone))),
    );
  return EXIT.done;
}

const NOTHING = shown`No broadcasts from today on.`;

interface Item {
  readonly at: string;
  readonly name: string;
  readonly accounts: readonly string[];
  readonly action: ChangeKind;
}

/** `Wed 3 Jun 2026 18:00 Europe/Berlin (16:00 UTC)  Sale  alice, bob  create`. */
function lineOf({ at, name, accounts, action }: Item, zone: string): Visible {
  return shown`${timeWords(at, zone) ?? at}  ${name}  ${accounts.join(', ')}  ${CHANGE_WORDS[action].label}`;
}
