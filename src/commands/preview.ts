import { defineCommand, itemResult } from '../cli/define-command.ts';
import { textFlag } from '../cli/flags.ts';
import { planOffline, writePage } from '../cli/make-plan.ts';
import { formatPath } from '../domain/command-line.ts';
import { shown } from '../domain/visible.ts';

export const preview = defineCommand({
  path: 'preview',
  about: 'draw what the files declare as a page; works offline',
  examples: ['herald preview', 'herald preview --html pages/preview.html'],
  flags: { html: textFlag('--html <file>', 'write the page to this file', 'preview.html') },
  needs: 'files',
  run: async (context, { html: file }, loaded) => {
    await writePage(context, file, planOffline(context, loaded), 'preview');
    return itemResult({ file }, shown`Open ${formatPath(file)} in a browser.`);
  },
});
