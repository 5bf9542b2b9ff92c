import { OPERATIONS, rowOf, type Operation } from '../api/catalogue.ts';

/** A request's place in the catalogue, its path parameters decoded but not yet checked. */
export interface Route {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

const ROUTES = OPERATIONS.map((operation) => {
  const { method, path } = rowOf(operation);
  return { operation, method, pattern: patternOf(path) };
});

/** The catalogue row that serves the request; undefined where none does. */
export function findRoute(method: string, path: string): Route | undefined {
  for (const route of ROUTES) {
    if (route.method !== method) continue;
    const match = route.pattern.exec(path);
    if (match !== null) return { operation: route.operation, params: decode(match.groups ?? {}) };
  }
  return undefined;
}

/** `/a/{b}/c` as an expression with a named group for each parameter. */
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

/** A segment that is no valid percent-encoding stays as it is and is refused by its shape. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
