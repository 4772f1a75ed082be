package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	// envFileName is the settings file that is read from the data folder where no other is named.
	envFileName = "almanac.env"
	// envFileSetting names another one.
	envFileSetting = "env-file"
	// readableByOthers are the permissions of a file's group and of everybody else.
	readableByOthers fs.FileMode = 0o077
)

// envFile is a settings file that was read.
type envFile struct {
	path      string
	variables map[string]string
}

// readEnvFile reads the settings file: the one that is named by the flag or its variable, which must be there, or else
// almanac.env in the data folder, if there is one.
func (d *draft) readEnvFile(flags map[string]string) envFile {
	path, source := d.said(flags, envFileSetting)
	if path == "" {
		folder := d.folderSaid(flags)
		if folder == "" {
			return envFile{}
		}
		path = filepath.Join(folder, envFileName)
	} else if whole, err := d.machine.absolute(d.underHome(path)); err == nil {
		path = whole
	}
	content, err := d.machine.readFile(path)
	if err != nil {
		switch {
		case source != "":
			d.problem("%s names the file %q, which cannot be read: %v. Allowed: a path; relative ones start from the "+
				"working folder. Write for example %s=/etc/almanac.env.",
				source, clip(path), withoutPath(err), source)
		case !errors.Is(err, fs.ErrNotExist):
			d.problem("The settings file %q cannot be read: %v.", clip(path), withoutPath(err))
		}
		return envFile{}
	}
	d.EnvFile = path
	read := envFile{path: path, variables: d.parseEnvFile(path, string(content))}
	d.warnOfReaders(read)
	if _, chained := read.variables[variableOf(envFileSetting)]; chained {
		d.problem("%q sets %s, but a settings file cannot name another one.", clip(path), variableOf(envFileSetting))
	}
	if _, moved := read.variables[variableOf("data-dir")]; moved && source == "" {
		d.problem(
			"%q is read because it is in the data folder, so it cannot set %s. Name it with --%s, or leave that line out.",
			clip(path), variableOf("data-dir"), envFileSetting)
	}
	return read
}

// said returns the value of a setting before any file has been read, and where it was said; "" for neither.
func (d *draft) said(flags map[string]string, name string) (value, source string) {
	if value, given := flags[name]; given {
		return strings.TrimSpace(value), "--" + name
	}
	if value := strings.TrimSpace(d.environ[variableOf(name)]); value != "" {
		return value, variableOf(name)
	}
	return "", ""
}

// folderSaid returns the data folder as flags, variables and the machine say it; "" when there is none.
func (d *draft) folderSaid(flags map[string]string) string {
	folder, _ := d.said(flags, "data-dir")
	if folder == "" {
		return d.userDataDir()
	}
	whole, err := d.machine.absolute(d.underHome(folder))
	if err != nil {
		return ""
	}
	return whole
}

// underHome replaces "~/" at the beginning of a path by the home folder, where there is one.
func (d *draft) underHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && d.home() != "" {
		return filepath.Join(d.home(), rest)
	}
	return path
}

// parseEnvFile reads lines of NAME=value, as systemd, Docker and Compose read them: empty lines and those that begin
// with # say nothing, "export " before a name is allowed, and quotes around a whole value are taken off. Nothing is
// expanded. Names without the prefix ALMANAC_ are for other programs. Of two equal names the last counts.
func (d *draft) parseEnvFile(path, content string) map[string]string {
	variables := map[string]string{}
	for i, line := range strings.Split(strings.TrimPrefix(content, "\uFEFF"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, found := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || name == "" || strings.ContainsAny(name, " \t\"'") {
			// The line is not shown: it may be the rest of a secret.
			d.problem("Line %d of %q is not NAME=value.", i+1, clip(path))
			continue
		}
		if strings.HasPrefix(name, variablePrefix) {
			variables[name] = unquote(value)
		}
	}
	return variables
}

// unquote takes off equal quotes around a whole value.
func unquote(value string) string {
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	return value
}

// warnOfReaders warns of a file with secrets that others can read.
func (d *draft) warnOfReaders(file envFile) {
	if d.machine.os == "windows" {
		return // its permissions are not in the mode
	}
	mode, err := d.machine.mode(file.path)
	if err != nil || mode&readableByOthers == 0 {
		return
	}
	for _, s := range Settings() {
		if value := file.variables[s.Variable()]; s.Secret && value != "" && !strings.HasPrefix(value, filePrefix) {
			d.Warnings = append(d.Warnings, fmt.Sprintf(
				"%s holds %s and can be read by others on this machine; chmod 600 %s.", file.path, s.Variable(), file.path))
			return
		}
	}
}

// withoutPath returns the cause of an error of the file system without the path, which the message has.
func withoutPath(err error) error {
	if pathError := new(os.PathError); errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
