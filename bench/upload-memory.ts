import { putToStore } from './upload-run.ts';

/** A process of its own that puts a file and tells its peak in bytes: node scripts/run.js bench/upload-memory.ts FILE URL PARTS */
const [path = '', baseUrl = '', parts = '1'] = process.argv.slice(2);
await putToStore(path, baseUrl, Number(parts));
console.log(process.resourceUsage().maxRSS * 1024);
