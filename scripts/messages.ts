import { listMessages } from './message-list.ts';

// Prints all texts for people in src/ in order, each with its file, its line, and its code: npm run messages. The code
// is `-` for help, reasons, and other texts without one.
for (const { file, line, code, text } of listMessages())
  process.stdout.write(`${file}:${line}\t${code ?? '-'}\t${text.replaceAll('\n', '\\n')}\n`);
