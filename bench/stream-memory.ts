import { LIST_FORMATS } from '../src/cli/formats.ts';
import { streamRows } from './stream-run.ts';

/**
 * A process of its own that streams a list and tells what it took, in milliseconds and bytes:
 * node scripts/run.js bench/stream-memory.ts URL PAGES FORMAT
 */
const [baseUrl = '', pages = '1', wanted = 'ndjson'] = process.argv.slice(2);
const format = LIST_FORMATS.find((name) => name === wanted);
if (format === undefined) throw new Error(`unknown format ${wanted}`);

const startRss = process.memoryUsage().rss;
const started = performance.now();
const rows = await streamRows(baseUrl, Number(pages), format);
const ms = performance.now() - started;
const { user, system } = process.cpuUsage();
const cpuMs = (user + system) / 1000;
const peakRss = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ rows, ms, cpuMs, startRss, peakRss }));
