// An orchard as an MCP server, on the official TypeScript SDK 2.x: node ts_server.mjs stdio | http PORT
import { createServer } from "node:http";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import {
  acceptedContent, completable, createMcpHandler, inputRequired, McpServer, ProtocolError, ProtocolErrorCode,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const rows = new Map([["north", "cherries"], ["middle", "quinces"], ["south", "medlars"]]);
const names = [...rows.keys()];
const fruits = [...rows.values()];
const among = (words) => (typed) => words.filter((word) => word.startsWith(typed));
const readOnly = { readOnlyHint: true };
const says = (text) => ({ content: [{ type: "text", text }] });
const asks = (text) => ({ messages: [{ role: "user", content: { type: "text", text } }] });
const holds = (uri, text) => ({ contents: [{ uri: uri.href, mimeType: "text/plain", text }] });

const praise = "Praise a fruit.";
const diary = "Sum the day up.";
const prompts = [
  { name: "praise", description: praise, arguments: [{ name: "fruit", required: true }] },
  { name: "diary", description: diary },
];

function orchard() {
  const server = new McpServer(
    { name: "orchard-ts2", version: "1.0.0" },
    { instructions: "Ask for the rows of a small orchard.", capabilities: { logging: {} } },
  );
  server.registerTool(
    "backwards",
    {
      description: "The text, last letter first.",
      inputSchema: z.object({ text: z.string() }),
      annotations: readOnly,
    },
    async ({ text }) => says([...text].reverse().join("")),
  );
  const answer = z.object({ row: z.string() });
  server.registerTool(
    "taste",
    {
      description: "How a fruit tastes; asks for its row.",
      outputSchema: z.object({ taste: z.string() }),
      annotations: readOnly,
    },
    async (context) => {
      const given = acceptedContent(context.mcpReq.inputResponses, "row", answer);
      if (given === undefined) {
        const row = inputRequired.elicit({ message: "Which row did the fruit come from?", requestedSchema: answer });
        return inputRequired({ inputRequests: { row } });
      }
      const taste = `${rows.get(given.row)} taste sweet`;
      return { ...says(taste), structuredContent: { taste } };
    },
  );
  server.registerTool(
    "rows",
    {
      description: "Names of the rows.",
      outputSchema: z.object({ names: z.array(z.string()) }),
      annotations: readOnly,
    },
    async () => ({ ...says(names.join(", ")), structuredContent: { names } }),
  );
  server.registerTool(
    "frost",
    {
      title: "Night frost",
      description: "Lowest temperature of the night; reports progress while it measures, and logs.",
      annotations: readOnly,
    },
    async (context) => {
      const { progressToken } = context.mcpReq._meta ?? {};
      for (const progress of progressToken === undefined ? [] : [1, 2, 3]) {
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 3 },
        });
      }
      await context.mcpReq.log("info", "measured");
      return says("two degrees");
    },
  );
  server.registerTool(
    "ripe",
    {
      description: "What is ripe in a row.",
      inputSchema: z.object({ row: z.string().meta({ "x-mcp-header": "Row" }) }),
      annotations: readOnly,
    },
    async ({ row }) => says(rows.get(row) ?? "nothing"),
  );
  server.registerTool(
    "neighbour",
    {
      description: "Name of the neighbour who has this page. The page is not fetched.",
      inputSchema: z.object({ url: z.string() }),
      annotations: readOnly,
    },
    async ({ url }) => says(URL.canParse(url) ? new URL(url).hostname : "nobody"),
  );
  server.registerTool(
    "share",
    {
      description: "Weight of fruit for each basket; 0 baskets are an error.",
      inputSchema: z.object({ harvest: z.number(), baskets: z.number().int() }),
    },
    async ({ harvest, baskets }) => {
      if (baskets === 0) throw new Error("there is no basket");
      return says(String(harvest / baskets));
    },
  );
  const text = { mimeType: "text/plain" };
  server.registerResource("list_of_rows", "orchard://rows", { description: "All rows, one a line.", ...text },
    async (uri) => holds(uri, names.join("\n")));
  server.registerResource("row", new ResourceTemplate("orchard://rows/{name}", { list: undefined, complete: { name: among(names) } }),
    { description: "What grows in this row.", ...text },
    async (uri, { name }) => {
      if (!rows.has(name)) throw new Error(`no row is called ${name}`);
      return holds(uri, rows.get(name));
    });
  server.registerPrompt("praise", { description: praise, argsSchema: z.object({ fruit: completable(z.string(), among(fruits)) }) },
    ({ fruit }) => asks(`Write two lines in praise of ${fruit}.`));
  server.registerPrompt("diary", { description: diary },
    () => asks("Write today's entry for the orchard's diary."));
  // McpServer lists everything at once; here a page holds one prompt.
  server.server.setRequestHandler("prompts/list", ({ params }) => {
    if (params?.cursor === undefined) return { prompts: prompts.slice(0, 1), nextCursor: "page 2" };
    if (params.cursor === "page 2") return { prompts: prompts.slice(1) };
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "no page has this cursor");
  });
  return server;
}

const [way, port] = process.argv.slice(2);
if (way === "stdio") {
  serveStdio(orchard);
} else {
  const answer = toNodeHandler(createMcpHandler(orchard));
  const hostIsLocal = localhostHostValidation();
  const originIsLocal = localhostOriginValidation();
  createServer((request, response) => {
    if (!hostIsLocal(request, response) || !originIsLocal(request, response)) return;
    if (new URL(request.url, "http://localhost").pathname === "/mcp") answer(request, response);
    else response.writeHead(404).end();
  }).listen(Number(port), "127.0.0.1");
}
