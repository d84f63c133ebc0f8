/** How one engine's model is told about tools and how it writes a call. Keys of the dialect table. */
export type DialectId =
  | 'json' // the whole reply as JSON: {"type":"tool_call",…} or {"type":"message","text":…}
  | 'hermes' // <tool_call>{"name":…,"arguments":…}</tool_call>
  | 'p-format' // name[0|value|1|value]
  | 'liquid' // <|tool_call_start|>[f(a=1)]<|tool_call_end|>
  | 'llama'
  | 'gemma'
  | 'functiongemma'
  | 'qwen-xml'
  | 'mistral'
  | 'granite'
  | 'phi'
  | 'deepseek';
