import { invalidFiles } from '../../library/errors.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { shown, type Visible } from '../../domain/visible.ts';
import { loadOptions } from '../../library/load-options.ts';
import { planDeclared } from '../../plan/describe.ts';
import { renderPlanPage } from '../../page/page.tsx';
import { loadDeclared } from '../../workspace/load.ts';
import type { Context } from '../context.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { drawFindings } from '../findings.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { circumstancesOf } from '../resources/circumstances.ts';
import { picturesOf } from '../../page/pictures.ts';
import { servePreview } from '../../host/serve-preview.ts';
import { writeReport } from '../write-report.ts';

export interface PreviewFlags {
  readonly html: string;
  readonly watch: boolean;
}

/** `herald preview`: checks the files, and draws what they declare as a page. Asks the service nothing. */
export async function previewCommand(context: Context, flags: PreviewFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const tell = (item: Record<string, string>, words: Visible) =>
    context.output.result(format === 'json' ? renderJson({ schema: 'herald/item/1', item }) : words);
  if (flags.watch) return watchCommand(context, tell);
  const drawn = await draw(context, false);
  if (drawn.kind === 'invalid') throw invalidFiles(drawn.diagnostics);
  await writeReport(context, flags.html, drawn.html);
  tell({ file: flags.html }, shown`Page written to ${flags.html}. Open it in a browser.`);
  return EXIT.done;
}

type Drawn =
  | { readonly kind: 'page'; readonly html: string }
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };

async function draw(context: Context, isReloading: boolean): Promise<Drawn> {
  const loaded = await loadDeclared(context.files, loadOptions(context));
  if (loaded.kind === 'invalid') return { kind: 'invalid', diagnostics: loaded.diagnostics };
  const { workspace, declared, placeOf, warnings } = loaded;
  const plan = planDeclared({
    ...circumstancesOf(context, []),
    declared,
    placeOf,
    warnings,
    settings: workspace,
    nowMs: context.clock.now(),
  });
  const pictures = await picturesOf(context.bytes, plan);
  return { kind: 'page', html: renderPlanPage(plan, { title: 'preview', pictures, isReloading }) };
}

/** Files are looked at this often. */
const LOOK_EVERY_MS = 500;
/** And at most for this share of the time, if there are many. */
const LOOK_SHARE = 5;

const INTERRUPTS = { first: 'Stopped.', second: 'Stopped immediately.' };

async function watchCommand(
  context: Context,
  tell: (item: Record<string, string>, words: Visible) => void,
): Promise<number> {
  const { clock, output, interrupted } = context;
  const served = await servePreview();
  let known = '';
  const refresh = async () => {
    const drawn = await draw(context, true);
    const text = drawn.kind === 'page' ? withoutTime(drawn.html) : JSON.stringify(drawn.diagnostics);
    if (text === known) return;
    known = text;
    if (drawn.kind === 'page') served.show(output.masked(drawn.html));
    else output.say(await drawFindings(context, drawn.diagnostics));
  };
  await context.protect(async () => {
    try {
      await refresh();
      const { url } = served;
      tell({ url }, shown`Preview at ${url}\nIt reloads when a file changes. Stop it with Ctrl-C.`);
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
