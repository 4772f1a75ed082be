package storetest

import (
	"context"
	"reflect"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Every returns a call of every method of the contract that takes a context, by name, with arguments that are made up:
// what it answers says nothing, but that it answers can be asked of methods that are yet to come too.
func Every(s store.Store) map[string]func(ctx context.Context) error {
	contract, driver := reflect.TypeFor[store.Store](), reflect.ValueOf(s)
	calls := map[string]func(ctx context.Context) error{}
	for method := range contract.Methods() {
		if method.Type.NumIn() == 0 || method.Type.In(0) != reflect.TypeFor[context.Context]() ||
			method.Type.NumOut() == 0 || method.Type.Out(method.Type.NumOut()-1) != reflect.TypeFor[error]() {
			continue
		}
		calls[method.Name] = func(ctx context.Context) error {
			args := []reflect.Value{reflect.ValueOf(ctx)}
			for i := 1; i < method.Type.NumIn(); i++ {
				args = append(args, madeUp(method.Type.In(i), 0))
			}
			call := driver.MethodByName(method.Name).Call
			if method.Type.IsVariadic() {
				call = driver.MethodByName(method.Name).CallSlice
			}
			out := call(args)
			err, _ := out[len(out)-1].Interface().(error)
			return err
		}
	}
	return calls
}

// madeUp returns a value of a type that is not empty, so that no method has nothing to do.
func madeUp(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case depth > 6:
		return v
	case t == reflect.TypeFor[time.Time]():
		return reflect.ValueOf(noon)
	case t == reflect.TypeFor[model.UserID](), t == reflect.TypeFor[model.UUID]():
		v.Index(0).SetUint(7)
		return v
	}
	switch t.Kind() {
	case reflect.Func:
		return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
			out := make([]reflect.Value, t.NumOut())
			for i := range out {
				out[i] = reflect.Zero(t.Out(i))
			}
			return out
		})
	case reflect.Slice:
		v.Set(reflect.Append(v, madeUp(t.Elem(), depth+1)))
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(madeUp(t.Elem(), depth+1))
	case reflect.Struct:
		for i := range t.NumField() {
			if v.Field(i).CanSet() {
				v.Field(i).Set(madeUp(t.Field(i).Type, depth+1))
			}
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	}
	return v
}
