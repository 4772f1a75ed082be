package httpapi_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wantAudits is how many audits the locked version of the package has. A smaller number means that the tool did not
// run them all.
const wantAudits = 61

// TestAudits runs the GraphQL-over-HTTP audits of the graphql-http package against the handler. It needs node and npm,
// and fails without them: a server that is not audited must not look as if it were.
func TestAudits(t *testing.T) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%s is missing; the audits of GraphQL over HTTP need Node.js 20 or newer (apt-get install nodejs npm): %v",
				tool, err)
		}
	}
	if _, err := os.Stat(filepath.Join("audit", "node_modules", ".package-lock.json")); err != nil {
		install := exec.CommandContext(t.Context(), "npm", "ci", "--no-audit", "--no-fund")
		install.Dir = "audit"
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("npm ci in internal/httpapi/audit: %v\n%s", err, out)
		}
	}
	server := httptest.NewServer(newFront(t, nil))
	defer server.Close()
	audit := exec.CommandContext(t.Context(), "node", "audit.mjs", server.URL+"/graphql")
	audit.Dir = "audit"
	out, err := audit.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	closing := lines[len(lines)-1]
	if err != nil || closing != closingLine {
		t.Fatalf("want %q, got %q (%v):\n%s", closingLine, closing, err, out)
	}
	if ok := strings.Count(string(out), "ok    "); ok != wantAudits {
		t.Errorf("%d lines of passed audits", ok)
	}
	t.Log(closing)
}

const closingLine = "61 passed, 0 failed"
