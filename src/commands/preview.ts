import type { Context } from '../cli/context.ts';
import { defineCommand, itemResult } from '../cli/define-command.ts';
import { drawFindings } from '../cli/findings.ts';
import { switchFlag, textFlag } from '../cli/flags.ts';
import { printResult } from '../cli/run-command.ts';
import { planOffline } from '../cli/make-plan.ts';
import { writeReport } from '../cli/saved-plan.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { shown } from '../domain/visible.ts';
import { servePreview } from '../host/serve-preview.ts';
import { invalidFiles } from '../library/errors.ts';
import { loadOptions } from '../library/local-media.ts';
import { renderPlanPage } from '../page/page.tsx';
import { readPictures } from '../page/pictures.ts';
import { loadDeclared } from '../workspace/load.ts';

/** Checks the files, and draws what they declare as a page. Asks the service nothing. */
export const preview = defineCommand({
  path: 'preview',
  about: 'draw what the files declare as a page; works offline',
  examples: ['herald preview', 'herald preview --watch'],
  flags: {
    html: textFlag('--html <file>', 'write the page to this file (default: "preview.html")'),
    watch: switchFlag('--watch', 'serve the page on this machine, and reload it when a file changes'),
  },
  needs: 'nothing',
  run: async (context, { html: file = 'preview.html', watch, format }) => {
    if (watch)
      return watchFiles(context, (url) => {
        const words = shown`Preview at ${url}\nIt reloads when a file changes. Stop it with Ctrl-C.`;
        return printResult(context, format, itemResult({ url }, words));
      });
    const drawn = await draw(context, false);
    if (typeof drawn !== 'string') throw invalidFiles(drawn);
    await writeReport(context, file, drawn);
    return itemResult({ file }, shown`Page written to ${file}. Open it in a browser.`);
  },
});

/** The page, or what is wrong in the files. */
async function draw(context: Context, isReloading: boolean): Promise<string | readonly Diagnostic[]> {
  const loaded = await loadDeclared(context.files, loadOptions(context));
  if (loaded.kind === 'invalid') return loaded.diagnostics;
  const plan = planOffline(context, loaded);
  const pictures = await readPictures(context.bytes, plan);
  return renderPlanPage(plan, { title: 'preview', pictures, isReloading });
}

/** Files are looked at this often. */
const LOOK_EVERY_MS = 500;
/** And at most for this share of the time, if there are many. */
const LOOK_SHARE = 5;

const INTERRUPTS = { first: 'Stopped.', second: 'Stopped immediately.' };

async function watchFiles(context: Context, tellUrl: (url: string) => Promise<void>): Promise<ExitCode> {
  const { clock, output, interrupted } = context;
  const served = await servePreview();
  let known = '';
  const refresh = async () => {
    const drawn = await draw(context, true);
    const text = typeof drawn === 'string' ? withoutTime(drawn) : JSON.stringify(drawn);
    if (text === known) return;
    known = text;
    if (typeof drawn === 'string') served.show(output.masked(drawn));
    else output.say(await drawFindings(context, drawn));
  };
  await context.protect(async () => {
    try {
      await refresh();
      const { url } = served;
      await tellUrl(url);
      while (!interrupted.aborted) {
        const startedMs = clock.monotonicMs();
        await refresh();
        const tookMs = clock.monotonicMs() - startedMs;
        await clock.sleep(Math.max(LOOK_EVERY_MS, LOOK_SHARE * tookMs), interrupted).catch(() => undefined);
      }
    } finally {
      await served.close();
    }
  }, INTERRUPTS);
  return EXIT.done;
}

/** Only the time of the page differs between two looks at the same files. */
function withoutTime(html: string): string {
  return html.replace(/<span class="end">.*?<span id="age"/s, '').replace(/"planned_at":"[^"]*"/, '');
}
