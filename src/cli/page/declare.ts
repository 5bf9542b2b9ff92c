import type { Command } from 'commander';
import { sub, type Act } from '../sub.ts';

/** Declares preview and calendar. */
export function declarePages(program: Command, act: Act): void {
  sub(program, 'preview', 'draw what the files declare as a page; works offline', [
    'herald preview',
    'herald preview --watch',
  ])
    .option('--html <file>', 'write the page to this file', 'preview.html')
    .option('--watch', 'serve the page on this machine, and reload it when a file changes')
    .action((flags: { html: string; watch?: boolean }, command: Command) =>
      act(command, async (context) =>
        (await import('./preview.ts')).previewCommand(context, {
          html: flags.html,
          watch: flags.watch === true,
        }),
      ),
    );
  sub(program, 'calendar', 'list the broadcasts from today on; sends only reads', [
    'herald calendar',
    'herald calendar --ics broadcasts.ics',
  ])
    .option('--ics <file>', 'write them to this file, for a calendar program')
    .action((flags: { ics?: string }, command: Command) =>
      act(command, async (context) =>
        (await import('./calendar.ts')).calendarCommand(context, { ics: flags.ics }),
      ),
    );
}
