package config

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Load reads the settings of "serve" from its flags (args, without the program's and the command's name), the
// environment (as os.Environ gives it) and the settings file. A flag wins over its variable, a variable over the file,
// the last of two equal flags wins, and an empty value means the default. The error is flag.ErrHelp when help was asked
// for, otherwise Problems: all of them at once.
func Load(args, environ []string) (Config, error) {
	config, words, err := LoadCommand(args, environ, nil)
	var problems Problems
	if err != nil && !errors.As(err, &problems) {
		return Config{}, err
	}
	if len(words) > 0 {
		problems = append(problems,
			fmt.Sprintf(
				"%q is not expected here: settings are flags, such as --addr=127.0.0.1:8080. Run with --help to see them all.",
				clip(words[0])))
	}
	if len(problems) > 0 {
		return Config{}, problems
	}
	return config, nil
}

// LoadCommand is Load for a command that has flags or words of its own: own (which may be nil) is set along the way,
// and the words that are no flags are returned in their order. "--" ends the flags.
func LoadCommand(args, environ []string, own *flag.FlagSet) (config Config, words []string, err error) {
	return load(args, environ, own, thisMachine())
}

// machine is what loading uses of the operating system, apart from the environment.
type machine struct {
	os       string
	readlink func(path string) (string, error)
	readFile func(path string) ([]byte, error)
	absolute func(path string) (string, error)
	mode     func(path string) (fs.FileMode, error)
}

func thisMachine() machine {
	return machine{os: runtime.GOOS, readlink: os.Readlink, readFile: readSmallFile, absolute: filepath.Abs, mode: modeOf}
}

func modeOf(path string) (fs.FileMode, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Mode(), nil
}

// maxSecretFile bounds how much is read from a wrong path.
const maxSecretFile = 64 << 10

func readSmallFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	content, err := io.ReadAll(io.LimitReader(file, maxSecretFile+1))
	if err == nil && len(content) > maxSecretFile {
		err = errors.New("it is larger than 64 KiB")
	}
	return content, err
}

// draft is a Config while it is built.
type draft struct {
	Config
	// introspection is nil for auto.
	introspection *bool
	// push is nil for auto.
	push *bool
	// shorten is nil for auto.
	shorten *bool
	// userInFlight, userCost and userPaid are the shares that are set.
	userInFlight, userCost, userPaid *int
	problems                         Problems
	// broken are the names of settings whose values were refused; rules between settings leave them alone.
	broken map[string]bool

	machine machine
	environ map[string]string
	// file is the settings file; its variables count where the environment has none.
	file envFile
}

func load(args, environ []string, own *flag.FlagSet, m machine) (Config, []string, error) {
	settings := Settings()
	d := &draft{machine: m, environ: environmentOf(environ), broken: map[string]bool{}}
	flags, words, err := d.readFlags(args, settings, own)
	if err != nil {
		return Config{}, nil, err
	}
	d.defaults()
	d.file = d.readEnvFile(flags)
	for _, s := range settings {
		d.apply(s, flags)
	}
	d.checkVariables(settings)
	d.finish()
	if len(d.problems) > 0 {
		return Config{}, words, d.problems
	}
	return d.Config, words, nil
}

// apply sets one setting from its flag or else its variable.
func (d *draft) apply(s Setting, flags map[string]string) {
	source := s.Flag()
	value, given := flags[s.Name]
	if given {
		if s.Secret && value != "" && !strings.HasPrefix(value, filePrefix) {
			d.Warnings = append(d.Warnings, fmt.Sprintf(
				"%s was given on the command line, where others on this machine can read it; use %s or %s%sPATH.", s.Flag(),
				s.Variable(), s.Flag(), "="+filePrefix))
		}
	} else {
		source = s.Variable()
		value = d.environ[source]
		if value == "" && d.file.variables[source] != "" {
			value, source = d.file.variables[source], source+" in "+d.file.path
		}
	}
	value, err := d.resolve(s, value)
	if err == nil && value != "" {
		err = s.set(d, value)
	}
	if err == nil {
		return
	}
	d.broken[s.Name] = true
	what := fmt.Sprintf("%s is %q, which %v.", source, clip(value), err)
	if s.Secret {
		what = fmt.Sprintf("%s is refused: it %v (its value is not shown).", source, err)
	}
	example := source
	if !given {
		example = s.Variable()
	}
	d.problem("%s Allowed: %s. Write for example %s=%s, or leave it out.", what, s.Allowed, example, s.Example)
}

// filePrefix before a path reads a secret from a file.
const filePrefix = "file:"

// resolve trims a value and reads a secret's file.
func (d *draft) resolve(s Setting, value string) (string, error) {
	if !s.Secret {
		return strings.TrimSpace(value), nil
	}
	path, isFile := strings.CutPrefix(value, filePrefix)
	if !isFile {
		return value, nil
	}
	content, err := d.machine.readFile(path)
	if err != nil {
		return "", fmt.Errorf("names the file %q, which cannot be read: %w", clip(path), withoutPath(err))
	}
	text := strings.TrimRight(string(content), "\r\n")
	if text == "" {
		return "", fmt.Errorf("names the file %q, which is empty", clip(path))
	}
	return text, nil
}

func (d *draft) problem(format string, args ...any) {
	d.problems = append(d.problems, fmt.Sprintf(format, args...))
}

// readFlags takes the settings out of args, passes the command its own flags, and returns the words. Its error is
// flag.ErrHelp only.
func (d *draft) readFlags(args []string, settings []Setting,
	own *flag.FlagSet) (flags map[string]string, words []string, err error) {
	flags = map[string]string{}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			return flags, append(words, args...), nil
		}
		if len(arg) < 2 || arg[0] != '-' {
			words = append(words, arg)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		if name == "help" || name == "h" {
			return nil, nil, flag.ErrHelp
		}
		target, known := findFlag(name, settings, own)
		if !known {
			d.unknownFlag(name, settings, own)
			continue
		}
		if !hasValue {
			switch {
			case target.isSwitch:
				value = "true"
			case len(args) > 0 && !strings.HasPrefix(args[0], "--"):
				value, args = args[0], args[1:]
			default:
				d.problem("--%s wants a value: write --%s=%s.", name, name, target.example)
				continue
			}
		}
		if target.own == nil {
			flags[name] = value
		} else if err := own.Set(name, value); err != nil {
			d.problem("--%s is %q: %v. It means: %s", name, clip(value), err, target.own.Usage)
		}
	}
	return flags, words, nil
}

// flagTarget is what a flag's value goes to: a setting, or (own not nil) a flag of the command.
type flagTarget struct {
	own      *flag.Flag
	isSwitch bool
	example  string
}

func findFlag(name string, settings []Setting, own *flag.FlagSet) (flagTarget, bool) {
	for _, s := range settings {
		if s.Name == name {
			return flagTarget{isSwitch: s.Switch, example: s.Example}, true
		}
	}
	if own == nil {
		return flagTarget{}, false
	}
	f := own.Lookup(name)
	if f == nil {
		return flagTarget{}, false
	}
	isSwitch := false
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok {
		isSwitch = b.IsBoolFlag()
	}
	return flagTarget{own: f, isSwitch: isSwitch, example: "…"}, true
}

func (d *draft) unknownFlag(name string, settings []Setting, own *flag.FlagSet) {
	var known []string
	for _, s := range settings {
		known = append(known, s.Name)
	}
	if own != nil {
		own.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
	}
	if near := nearest(strings.ToLower(name), known); near != "" {
		d.problem("--%s is not a flag. Did you mean --%s?", clip(name), near)
		return
	}
	d.problem("--%s is not a flag. Run with --help to see them all.", clip(name))
}

const variablePrefix = "ALMANAC_"

func variableOf(name string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// isTooling reports whether a variable is for the project's tests and tools, which may be set when a server starts.
func isTooling(variable string) bool {
	return strings.HasPrefix(variable, "ALMANAC_TEST_") || variable == "ALMANAC_PG_HOME"
}

// checkVariables refuses mistyped variables.
func (d *draft) checkVariables(settings []Setting) {
	var known []string
	for _, s := range settings {
		known = append(known, s.Variable())
	}
	names := maps.Clone(d.file.variables)
	if names == nil {
		names = map[string]string{}
	}
	maps.Copy(names, d.environ)
	for _, variable := range sortedKeys(names) {
		switch {
		case !strings.HasPrefix(variable, variablePrefix), isTooling(variable), slices.Contains(known, variable):
		default:
			// Only the part after the prefix is compared: the prefix would make any two names look alike.
			bare := strings.TrimPrefix(variable, variablePrefix)
			near := nearest(strings.ToLower(strings.ReplaceAll(bare, "_", "-")), namesOf(settings))
			if near != "" {
				d.problem("%s is not a setting. Did you mean %s?", clip(variable), variableOf(near))
			} else {
				d.problem("%s is not a setting. Unset it; docs/settings.md and --help list those there are.", clip(variable))
			}
		}
	}
}

func namesOf(settings []Setting) []string {
	names := make([]string, len(settings))
	for i, s := range settings {
		names[i] = s.Name
	}
	return names
}

// environmentOf turns os.Environ's form into a map. Of two equal names the first counts, as in os.Getenv.
func environmentOf(environ []string) map[string]string {
	variables := make(map[string]string, len(environ))
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		if _, there := variables[name]; !there {
			variables[name] = value
		}
	}
	return variables
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
