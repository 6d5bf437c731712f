import {
  DockerfileParser,
  type Instruction,
  type ModifiableInstruction,
  type PropertyInstruction,
} from 'dockerfile-ast';

/** An instruction, its variables not yet replaced. */
export interface Step {
  /** As `line 12: COPY`, for messages. */
  place: string;
  keyword: string;
  /** Behind the flags, lines joined. */
  text: string;
  /** Those that begin with `--`, by name. */
  flags: Record<string, string>;
  /** Of ARG, ENV and LABEL; null: declared without a value. */
  properties: [name: string, value: string | null][];
}

export interface Stage {
  name: string;
  /** A stage before this one, or an image. */
  base: { stage: Stage } | { image: string };
  steps: Step[];
}

export type Variables = Readonly<Record<string, string>>;

/** The stages of a Dockerfile, whose bases are of these build arguments. Throws for an argument that no stage declares. */
export function stagesOf(text: string, args: Variables = {}): Stage[] {
  const stages: Stage[] = [];
  const globals: Record<string, string> = {};
  const steps = DockerfileParser.parse(text).getInstructions().map(stepOf);
  const declared = steps.filter(({ keyword }) => keyword === 'ARG').flatMap(({ properties }) => properties);
  const unknown = Object.keys(args).filter((name) => !declared.some(([known]) => known === name));
  if (unknown.length > 0) throw new Error(`the Dockerfile has no ARG ${unknown.join(', ')}`);
  for (const step of steps) {
    const current = stages.at(-1);
    if (step.keyword === 'FROM') {
      const [image = '', , name = String(stages.length)] = step.text.split(/\s+/);
      const reference = expanded(image, globals);
      if (reference === '') throw new Error(`${step.place} has no image`);
      const stage = stages.find((known) => known.name === reference);
      stages.push({ name, base: stage ? { stage } : { image: reference }, steps: [] });
    } else if (current) {
      current.steps.push(withGlobals(step, globals));
    } else {
      for (const [name, value] of step.properties) globals[name] = args[name] ?? expanded(value ?? '', globals);
    }
  }
  return stages;
}

/** Of the file's last stage, or of the one that is named. */
export function stageNamed(stages: readonly Stage[], name?: string): Stage {
  const stage = name === undefined ? stages.at(-1) : stages.find((known) => known.name === name);
  if (!stage) throw new Error(`the Dockerfile has no stage ${name ?? 'at all'}`);
  return stage;
}

/** A text with its variables, as `${SERVICE}`, `$SERVICE` and `${VERSION:-none}`. Throws for other ways to write them. */
export function expanded(text: string, variables: Variables): string {
  return text.replaceAll(/\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\}|(.{0,10}))/g, (_, bare, braced, otherwise = '', rest) => {
    if (rest !== undefined) throw new Error(`"$${String(rest)}…" is a variable that is not understood`);
    return variables[String(bare ?? braced)] || String(otherwise);
  });
}

/** An ARG of a stage that repeats one before the first FROM has its value. */
function withGlobals(step: Step, globals: Variables): Step {
  if (step.keyword !== 'ARG') return step;
  return { ...step, properties: step.properties.map(([name, value]) => [name, value ?? globals[name] ?? null]) };
}

function stepOf(instruction: Instruction): Step {
  const keyword = instruction.getKeyword();
  return {
    place: `line ${instruction.getInstructionRange().start.line + 1}: ${keyword}`,
    keyword,
    text: (instruction.getArgumentsContent() ?? '').trim(),
    flags: isModifiable(instruction)
      ? Object.fromEntries(instruction.getFlags().map((flag) => [flag.getName(), flag.getValue() ?? '']))
      : {},
    properties: hasProperties(instruction)
      ? instruction.getProperties().map((property) => [property.getName(), property.getValue()])
      : [],
  };
}

const isModifiable = (instruction: Instruction): instruction is ModifiableInstruction => 'getFlags' in instruction;
const hasProperties = (instruction: Instruction): instruction is PropertyInstruction => 'getProperties' in instruction;
