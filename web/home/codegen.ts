import type { CodegenConfig } from "@graphql-codegen/cli";

/** The types come from the schema's files, so that no server has to run, and introspection may be off. */
const config: CodegenConfig = {
  schema: "../../schema/*.graphqls",
  documents: "src/**/*.graphql",
  generates: {
    [process.env.GENERATED || "src/gql/"]: {
      preset: "client",
      presetConfig: { fragmentMasking: false, persistedDocuments: true },
      config: {
        // Documents are sent as text; the page needs no parser of GraphQL.
        documentMode: "string",
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { DateTime: "string", Date: "string", Duration: "string", JSON: "unknown", ID: "string" },
      },
    },
  },
};

export default config;
