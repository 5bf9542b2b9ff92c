import { defineCommand, listResult } from '../cli/define-command.ts';
import { workspacePorts } from '../cli/engine-ports.ts';
import { textFlag } from '../cli/flags.ts';
import { readCircumstances } from '../cli/circumstances.ts';
import { writeReport } from '../cli/saved-plan.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { page, shown } from '../domain/visible.ts';
import { describeLook } from '../library/describe-look.ts';
import { lookAt } from '../library/runs.ts';
import { listEvents } from '../page/events.ts';
import { renderCalendar } from '../page/ics.ts';
import { makeModel } from '../page/model.ts';
import { EVERYTHING } from '../plan/facts.ts';
import { formatTime } from '../render/values.ts';
import { CHANGE_WORDS } from '../render/wording.ts';

/** The broadcasts from today on, as lines or as an iCalendar file. */
export const calendar = defineCommand({
  path: 'calendar',
  about: 'list the broadcasts from today on; sends only reads',
  examples: ['herald calendar', 'herald calendar --ics broadcasts.ics'],
  flags: { ics: textFlag('--ics <file>', 'write them to this file, for a calendar program') },
  needs: 'workspace',
  run: async (context, { ics }, opened) => {
    const allow = new Set(opened.workspace.allow);
    const seen = await lookAt(workspacePorts(context), opened, { allow, targeting: EVERYTHING });
    const { plan } = describeLook(opened, seen, readCircumstances(context, []));
    const model = makeModel(plan, 'plan', new Map());
    if (ics !== undefined) {
      await writeReport(context, ics, renderCalendar(model));
      context.output.say(shown`Calendar written to ${ics}.`);
      return EXIT.done;
    }
    const events = listEvents(model).filter(({ isOld }) => !isOld);
    const items = events.map(({ atMs, name, action, accounts }) => {
      return { at: new Date(atMs).toISOString(), name, accounts, action };
    });
    // `Wed 3 Jun 2026 18:00 Europe/Berlin (16:00 UTC)  Sale  alice, bob  create`
    const lines = items.map(
      ({ at, name, accounts, action }) =>
        shown`${formatTime(at, model.zone) ?? at}  ${name}  ${accounts.join(', ')}  ${CHANGE_WORDS[action].label}`,
    );
    return listResult(items, lines.length === 0 ? shown`No broadcasts from today on.` : page(lines));
  },
});
