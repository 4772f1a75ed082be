package pgtest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"
)

// CitusVariable names the environment variable that holds the other servers of Citus, as host:port separated by commas,
// where the server of Variable is its coordinator. They take the same role and password. Then each database is made on
// all of them.
const CitusVariable = "ALMANAC_TEST_CITUS_WORKERS"

// workers returns the other servers of Citus, none where there is one server.
func workers() []string {
	return strings.FieldsFunc(os.Getenv(CitusVariable), func(r rune) bool { return r == ',' || r == ' ' })
}

// onCitus makes a database on the coordinator and its workers for as long as the test runs, and returns its URL.
func onCitus(t testing.TB, coordinator *url.URL, workers []string, name string) string {
	t.Helper()
	servers := []*url.URL{coordinator}
	join := fmt.Sprintf("SELECT citus_set_coordinator_host('%s', %s)", coordinator.Hostname(), coordinator.Port())
	for _, address := range workers {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			t.Fatalf("pgtest: %s: %v", CitusVariable, err)
		}
		worker := *coordinator
		worker.Host = address
		servers = append(servers, &worker)
		join += fmt.Sprintf("; SELECT citus_add_node('%s', %s)", host, port)
	}
	t.Cleanup(func() {
		for _, server := range servers {
			if err := execute(server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
				t.Errorf("pgtest: drop the database %s on %s: %v", name, server.Host, err)
			}
		}
	})
	for _, server := range servers {
		if err := execute(server, "CREATE DATABASE "+name+" TEMPLATE template0"); err != nil {
			t.Fatalf("pgtest: create a database on %s: %v", server.Host, err)
		}
		database := *server
		database.Path = "/" + name
		if err := execute(&database, "CREATE EXTENSION citus"); err != nil {
			t.Fatalf("pgtest: make the extension citus on %s: %v", server.Host, err)
		}
	}
	database := *coordinator
	database.Path = "/" + name
	for one := range strings.SplitSeq(join, "; ") {
		if err := execute(&database, one); err != nil {
			t.Fatalf("pgtest: join the servers of Citus: %v", err)
		}
	}
	return database.String()
}
