import { Ajv, type ValidateFunction } from 'ajv';

/** A part of an OpenAPI 3.0 document. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
}

interface Operation {
  readonly parameters?: readonly unknown[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface Exchange {
  readonly method: string;
  /** As in the document: `/repos/{owner}/{repo}/pulls`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** Checks requests and answers against the description of an API. Each finding is a sentence. */
export class Contract {
  readonly #description: Description;
  /** Each schema checks a few answers, so what makes checks faster takes longer than they do. */
  readonly #ajv = new Ajv({
    strict: false,
    validateFormats: false,
    logger: false,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  });
  readonly #compiled = new Map<unknown, ValidateFunction>();
  readonly #paths: readonly { readonly path: string; readonly wanted: readonly string[] }[];

  constructor(description: Description) {
    this.#description = description;
    this.#paths = Object.keys(description.paths).map((path) => ({ path, wanted: path.split('/') }));
  }

  /** The path of the document that an address belongs to. The most literal one wins. */
  pathOf(method: string, pathname: string): string | null {
    const steps = pathname.split('/');
    const fits = this.#paths.filter(({ path, wanted }) => {
      const isRest = wanted.at(-1)?.startsWith('{*') === true;
      return (
        (isRest ? wanted.length <= steps.length : wanted.length === steps.length) &&
        wanted.every((step, at) => step === steps[at] || (step.startsWith('{') && steps[at] !== '')) &&
        this.#description.paths[path]?.[method.toLowerCase()] !== undefined
      );
    });
    const literals = (wanted: readonly string[]) => wanted.filter((step) => !step.startsWith('{')).length;
    return fits.toSorted((one, other) => literals(other.wanted) - literals(one.wanted))[0]?.path ?? null;
  }

  findings(exchange: Exchange): readonly string[] {
    const { method, path, status } = exchange;
    const operation = this.#description.paths[path]?.[method.toLowerCase()] as Operation | undefined;
    if (operation === undefined) return [`${method} ${path} is not described`];
    const found = [
      ...this.#ofQuery(operation, exchange),
      ...(status === 422 || status === 400 ? [] : this.#ofBody(operation, exchange)),
      ...this.#ofAnswer(operation, exchange),
    ];
    return found.map((one) => `${method} ${path}: ${one}`);
  }

  #ofQuery(operation: Operation, { query }: Exchange): readonly string[] {
    const parameters = (operation.parameters ?? []).map((one) => this.#resolved(one) as Parameter);
    const known = parameters.filter((one) => one.in === 'query');
    const unknown = [...query.keys()].filter((name) => known.every((one) => one.name !== name));
    const missing = known.filter(({ name, required }) => required === true && !query.has(name));
    const wrong = known.filter(({ name, schema }) => {
      const text = query.get(name);
      const asNumber = text !== null && /^\d+$/.test(text) ? Number(text) : text;
      return text !== null && !this.#fits(schema ?? {}, text) && !this.#fits(schema ?? {}, asNumber);
    });
    return [
      ...unknown.map((name) => `unknown parameter ${name}`),
      ...missing.map(({ name }) => `parameter ${name} is missing`),
      ...wrong.map(({ name }) => `parameter ${name} is wrong: ${query.get(name) ?? ''}`),
    ];
  }

  #ofBody({ requestBody }: Operation, { body }: Exchange): readonly string[] {
    const schema = requestBody?.content?.['application/json']?.schema;
    if (schema === undefined) return body === undefined ? [] : ['has a body that is not described'];
    if (body === undefined) return requestBody?.required === true ? ['has no body'] : [];
    const resolved = this.#resolved(schema) as { readonly properties?: object };
    const unknown = Object.keys(body as object).filter(
      (key) => !Object.hasOwn(resolved.properties ?? {}, key),
    );
    return [
      ...unknown.map((key) => `the body has the unknown member ${key}`),
      ...this.#problems(schema, body, 'body'),
    ];
  }

  #ofAnswer({ responses }: Operation, { status, answer }: Exchange): readonly string[] {
    const response = responses[String(status)];
    if (response === undefined)
      return status >= 400 || status === 302 ? [] : [`status ${status} is not described`];
    const schema = (this.#resolved(response) as Content).content?.['application/json']?.schema;
    return schema === undefined || status >= 400 ? [] : this.#problems(schema, answer, 'answer');
  }

  #fits(schema: unknown, value: unknown): boolean {
    return this.#compile(schema)(value);
  }

  #problems(schema: unknown, value: unknown, what: string): readonly string[] {
    const validate = this.#compile(schema);
    if (validate(value)) return [];
    const [first] = validate.errors ?? [];
    return [`the ${what} is wrong: ${first?.instancePath ?? ''} ${first?.message ?? ''}`];
  }

  #compile(schema: unknown): ValidateFunction {
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const definitions: Record<string, unknown> = {};
    const root = this.#plain(schema, definitions);
    const compiled = this.#ajv.compile({ ...(root as object), definitions });
    this.#compiled.set(schema, compiled);
    return compiled;
  }

  /** As JSON schema: with `null` as a type, and only the definitions that are used. */
  #plain(schema: unknown, definitions: Record<string, unknown>): unknown {
    if (Array.isArray(schema)) return schema.map((one) => this.#plain(one, definitions));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { nullable, ...members } = schema as Readonly<Record<string, unknown>>;
    const reference = members['$ref'];
    if (typeof reference === 'string') {
      const name = reference.replaceAll('/', '~');
      if (!Object.hasOwn(definitions, name)) {
        definitions[name] = true;
        definitions[name] = this.#plain(this.#resolved(schema), definitions);
      }
      return { $ref: `#/definitions/${encodeURIComponent(name).replaceAll('~', '~0')}` };
    }
    const plain = Object.fromEntries(
      Object.entries(members).map(([key, value]) => [key, this.#plain(value, definitions)]),
    );
    return nullable === true ? { anyOf: [{ type: 'null' }, plain] } : plain;
  }

  #resolved(value: unknown): unknown {
    const reference = (value as { readonly $ref?: string }).$ref;
    if (reference === undefined) return value;
    const [, , kind = '', name = ''] = reference.split('/');
    return this.#resolved(this.#description.components[kind]?.[name]);
  }
}
