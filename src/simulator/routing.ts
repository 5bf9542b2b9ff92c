import { OPERATIONS, rowOf, type Operation } from '../api/catalogue.ts';

/** The catalogue row of a request, with decoded but unchecked path parameters. */
export interface Route {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

const ROUTES = OPERATIONS.map((operation) => {
  const { method, path } = rowOf(operation);
  return { operation, method, pattern: patternOf(path) };
});

/** The catalogue row of the request; undefined if there is none. */
export function findRoute(method: string, path: string): Route | undefined {
  for (const route of ROUTES) {
    if (route.method !== method) continue;
    const match = route.pattern.exec(path);
    if (match !== null) return { operation: route.operation, params: decode(match.groups ?? {}) };
  }
  return undefined;
}

/** `/a/{b}/c` as a regular expression with a named group for each parameter. */
function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? `(?<${segment.slice(1, -1)}>[^/]+)` : segment))
    .join('/');
  return new RegExp(`^${source}$`);
}

function decode(groups: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeSegment(text)]));
}

/** A segment with an invalid percent-encoding stays as it is. The shape of the parameter refuses it. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
